#include "core/base/WaitPolicy.h"

#include <cstdlib>

#include <unistd.h>

namespace trainyard {

namespace {
constexpr const char* kRounds = "1000"; // what libgomp itself takes where there are more threads than cores
} // namespace

void startAnewToWaitPatiently(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT"))
        return;
    if (::setenv("GOMP_SPINCOUNT", kRounds, 1) == 0)
        ::execv("/proc/self/exe", argv); // where it fails, this process goes on as it is
}

} // namespace trainyard
