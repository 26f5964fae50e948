#include "core/nn/Threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <dlfcn.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace trainyard {

void configureThreads(int count) {
    at::set_num_threads(std::max(1, count));
    using SetThreads = void (*)(int);
    if (const auto setThreads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
        setThreads(1);
}

void configureHeap() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 2147483647);
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

} // namespace trainyard
