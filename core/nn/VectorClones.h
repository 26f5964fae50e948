#pragma once

/// Marks a function that is compiled once for each generation of vector units and chosen when the program starts.
/// Sanitizers cannot follow that choice, so there it is compiled once.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define TRAINYARD_VECTOR_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define TRAINYARD_VECTOR_CLONES
#endif
