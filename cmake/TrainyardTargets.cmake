# The three kinds of target. Sources are listed by name; PUBLIC is only what a header needs.
include(CMakeParseArguments)

# trainyard_library(NAME SOURCES … [PUBLIC …] [PRIVATE …]): one folder, one static library, trainyard::NAME.
function(trainyard_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    set(target trainyard_${name})
    add_library(${target} STATIC ${ARG_SOURCES})
    add_library(trainyard::${name} ALIAS ${target})
    target_link_libraries(${target} PUBLIC trainyard::options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# trainyard_use_torch(TARGET): LibTorch, OpenMP (at::parallel_for is header code) and the shared precompiled header.
function(trainyard_use_torch target)
    target_include_directories(${target} SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
    target_link_libraries(${target} PUBLIC ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
    set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch_pool)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(NOT ${target} STREQUAL trainyard_torch_prelude)
        target_precompile_headers(${target} REUSE_FROM trainyard_torch_prelude)
    endif()
endfunction()

# trainyard_torch_library(NAME …): the same for a folder of the engine that knows LibTorch.
function(trainyard_torch_library name)
    trainyard_library(${name} ${ARGN})
    trainyard_use_torch(trainyard_${name})
endfunction()

# trainyard_test(tst_Name.cpp [TORCH] [LINK …] [SOURCES …] [LABELS …] [TIMEOUT seconds]): a Qt Test program, run offscreen by CTest.
function(trainyard_test source)
    cmake_parse_arguments(ARG "TORCH" "TIMEOUT" "LINK;SOURCES;LABELS" ${ARGN})
    if(NOT TARGET Qt6::Test)
        return()
    endif()
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE trainyard::options trainyard::testing Qt6::Test ${ARG_LINK})
    target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
    if(ARG_TORCH)
        trainyard_use_torch(${name})
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8" TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
