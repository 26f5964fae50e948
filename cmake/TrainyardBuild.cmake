# How everything is compiled: standard, warnings, ccache, sanitizers. Linked by the system's own linker: mold 1.10 of
# Debian 12 is ten times as quick, but made a program that does not start and never came back from linking another.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# One flag for libraries and programs alike, so that they share one precompiled header.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fPIC>)
# All of -O3's vector code at -O2's pace of compiling.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -ftree-vectorize -fvect-cost-model=dynamic -DNDEBUG")
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A static library's files need not wait for those of the libraries that it uses.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Torch translation units need over 1 GB each: never more than two at a time.
set_property(GLOBAL PROPERTY JOB_POOLS torch_pool=2)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    # Precompiled headers are cached only when ccache is told what may differ. Ninja's dependency files say what a
    # file includes, so that a miss costs no run of the preprocessor.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
        ${CCACHE_PROGRAM})
endif()

add_library(trainyard_options INTERFACE)
add_library(trainyard::options ALIAS trainyard_options)
target_include_directories(trainyard_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(trainyard_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual -Wno-unused-parameter
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>> # GCC 12 takes std::string's operator+ for overlapping copies (its bug 105651)
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TRAINYARD_WERROR}>>:-Werror>)
target_compile_definitions(trainyard_options INTERFACE
    TRAINYARD_VERSION="${PROJECT_VERSION}")

if(TRAINYARD_SANITIZE)
    add_compile_options(-fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=${TRAINYARD_SANITIZE})
endif()
