# GPU kernels: nvcc, the toolkit, and NCCL's header. Included before LibTorch is looked for, which asks for CUDA itself.
include(CheckLanguage)
if(NOT DEFINED CMAKE_CUDA_COMPILER)
    find_program(TRAINYARD_NVCC nvcc HINTS ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin)
    if(TRAINYARD_NVCC)
        set(CMAKE_CUDA_COMPILER "${TRAINYARD_NVCC}")
    endif()
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "TRAINYARD_WITH_CUDA needs nvcc, which was not found. "
                        "Install the CUDA toolkit, say where it is with -DCMAKE_CUDA_COMPILER=…/nvcc, or leave the option off.")
endif()
# From Turing on; the last one also as code that later GPUs compile for themselves. "native" fails without a GPU.
set(TRAINYARD_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120
    CACHE STRING "GPU generations that the kernels are compiled for")
set(CMAKE_CUDA_ARCHITECTURES ${TRAINYARD_CUDA_ARCHITECTURES})
set(CMAKE_CUDA_STANDARD 17)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# trainyard_cuda_kernels(NAME KERNELS ….cu WRAPPERS ….cpp): kernels for the torch library trainyard::NAME. They see no
# torch header and are always compiled; the wrappers that hand tensors to them only where LibTorch has CUDA.
function(trainyard_cuda_kernels name)
    cmake_parse_arguments(ARG "" "" "KERNELS;WRAPPERS" ${ARGN})
    set(CMAKE_CUDA_FLAGS "" PARENT_SCOPE) # LibTorch's configuration adds GPU generations that this nvcc may not know
    set(kernels trainyard_${name}_kernels)
    add_library(${kernels} STATIC ${ARG_KERNELS})
    set_target_properties(${kernels} PROPERTIES
        CUDA_ARCHITECTURES "${TRAINYARD_CUDA_ARCHITECTURES}" CUDA_STANDARD 17 POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${kernels} PUBLIC trainyard::options CUDA::cudart)
    if(TARGET torch_cuda)
        target_sources(trainyard_${name} PRIVATE ${ARG_WRAPPERS})
        target_link_libraries(trainyard_${name} PRIVATE ${kernels})
        target_compile_definitions(trainyard_${name} PRIVATE TRAINYARD_HAS_CUDA)
    endif()
endfunction()

# trainyard_use_nccl(TARGET): NCCL is reached through LibTorch's c10d; of NCCL itself only the header is needed.
function(trainyard_use_nccl target)
    if(NOT TARGET torch_cuda)
        return()
    endif()
    get_target_property(definitions torch_cuda INTERFACE_COMPILE_DEFINITIONS)
    if(NOT "${definitions}" MATCHES "USE_C10D_NCCL")
        return()
    endif()
    find_path(NCCL_INCLUDE_DIR nccl.h
        HINTS "${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include" ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
    target_include_directories(${target} SYSTEM PRIVATE "${NCCL_INCLUDE_DIR}" ${CUDAToolkit_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE TRAINYARD_HAS_NCCL)
endfunction()
