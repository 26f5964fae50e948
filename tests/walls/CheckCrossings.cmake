# cmake -DSCRATCH=<folder> -P CheckCrossings.cmake: each forbidden include, written into a small tree, must be refused.
cmake_minimum_required(VERSION 3.25)

set(crossings
    "core/base/A.cpp|core/config/RunConfig.h"
    "core/data/A.cpp|torch/torch.h"
    "core/train/A.cpp|core/loader/BatchQueue.h"
    "core/models/A.cpp|opencv2/core.hpp"
    "core/train/A.cpp|SQLiteCpp/Database.h"
    "core/interop/A.cpp|curl/curl.h"
    "core/solve/A.cpp|QString"
    "core/solve/A.cu|ATen/ATen.h"
    "widgets/A.cpp|torch/torch.h"
    "widgets/tables/A.cpp|qcustomplot.h"
    "app/workbench/A.cpp|core/train/Trainer.h"
    "app/cli/A.cpp|QWidget")
foreach(crossing IN LISTS crossings)
    string(REPLACE "|" ";" parts "${crossing}")
    list(GET parts 0 file)
    list(GET parts 1 header)
    file(REMOVE_RECURSE "${SCRATCH}")
    file(WRITE "${SCRATCH}/${file}" "#include <${header}>\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/CheckWalls.cmake
                    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE text)
    if(code EQUAL 0 OR NOT text MATCHES "cross a wall")
        message(FATAL_ERROR "${file} including ${header} was not refused: ${text}")
    endif()
endforeach()
file(REMOVE_RECURSE "${SCRATCH}")
file(WRITE "${SCRATCH}/core/train/A.cpp" "#include \"core/models/Model.h\"\n#include <vector>\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/CheckWalls.cmake
                RESULT_VARIABLE code ERROR_VARIABLE text)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "An include in the right direction was refused: ${text}")
endif()
