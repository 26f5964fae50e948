# The three kinds of target. Sources are listed by name; PUBLIC is only what a header needs.
include(CMakeParseArguments)

# trainyard_use_prelude(TARGET PRELUDE): the precompiled header of another target with the same flags.
function(trainyard_use_prelude target prelude)
    target_compile_options(${target} PRIVATE -fpch-preprocess) # so that ccache sees what is in it
    target_precompile_headers(${target} REUSE_FROM ${prelude})
endfunction()

# trainyard_folder(NAME SOURCES … [PUBLIC …] [PRIVATE …]): one folder, one static library, trainyard::NAME.
function(trainyard_folder name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    set(target trainyard_${name})
    add_library(${target} STATIC ${ARG_SOURCES})
    add_library(trainyard::${name} ALIAS ${target})
    target_link_libraries(${target} PUBLIC trainyard::options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    if(TRAINYARD_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
        # A file's own types are no header's; and GCC 12 misjudges moved strings (its bugs 105329 and 105651).
        target_compile_options(${target} PRIVATE
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage -Wno-array-bounds
                -Wno-stringop-overread>)
    endif()
endfunction()

# trainyard_library(NAME …): a folder that knows neither LibTorch nor Qt, with the precompiled header of these.
function(trainyard_library name)
    trainyard_folder(${name} ${ARGN})
    trainyard_use_prelude(trainyard_${name} trainyard_prelude)
endfunction()

# trainyard_link_torch(TARGET): LibTorch and OpenMP (at::parallel_for is header code).
function(trainyard_link_torch target)
    target_include_directories(${target} SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
    target_link_libraries(${target} PUBLIC ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
    set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch_pool)
endfunction()

# trainyard_use_torch(TARGET): the same with the shared precompiled header.
function(trainyard_use_torch target)
    trainyard_link_torch(${target})
    trainyard_use_prelude(${target} trainyard_torch_prelude)
endfunction()

# trainyard_torch_library(NAME …): the same for a folder of the engine that knows LibTorch.
function(trainyard_torch_library name)
    trainyard_folder(${name} ${ARGN})
    trainyard_use_torch(trainyard_${name})
endfunction()

# trainyard_test(tst_Name.cpp [TORCH | WINDOW] [LINK …] [SOURCES …] [LABELS …] [TIMEOUT seconds]): a Qt Test program,
# run offscreen by CTest. TORCH (links LibTorch) and WINDOW (links Qt Widgets) say which precompiled header it shares;
# without one of them it is Qt Test's alone. Test programs are compiled with little optimisation: what they test is not.
function(trainyard_test source)
    cmake_parse_arguments(ARG "TORCH;WINDOW" "TIMEOUT" "LINK;SOURCES;LABELS" ${ARGN})
    if(NOT TARGET Qt6::Test)
        return()
    endif()
    get_filename_component(name ${source} NAME_WE)
    set(moc "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc")
    add_executable(${name} ${source} ${ARG_SOURCES} "${moc}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    # Without folders to include from, moc reads this one file, not all of LibTorch; AUTOMOC would run and compile two
    # steps more for each program.
    add_custom_command(OUTPUT "${moc}" DEPENDS ${source}
        COMMAND Qt6::moc "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${moc}" VERBATIM)
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE trainyard::options trainyard::testing Qt6::Test ${ARG_LINK})
    target_compile_options(${name} PRIVATE -O1)
    if(ARG_TORCH)
        trainyard_link_torch(${name})
        trainyard_use_prelude(${name} trainyard_torch_test_prelude)
    elseif(ARG_WINDOW)
        target_link_libraries(${name} PRIVATE Qt6::Widgets)
        trainyard_use_prelude(${name} trainyard_window_test_prelude)
    else()
        trainyard_use_prelude(${name} trainyard_test_prelude)
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;GOMP_SPINCOUNT=1000" TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
