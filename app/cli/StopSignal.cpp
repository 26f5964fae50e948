#include "app/cli/StopSignal.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard::cli {

namespace {
int s_pipe[2] = {-1, -1};
volatile std::sig_atomic_t s_count = 0;

// Only what a signal handler may do: count, write a byte, leave.
extern "C" void onStopSignal(int signal) {
    s_count = s_count + 1;
    if (s_count > 1 && signal == SIGHUP)
        return; // a closed terminal tells it more than once
    if (s_count > 1)
        ::_exit(130);
    const int keptError = errno;
    [[maybe_unused]] const auto ignored = ::write(s_pipe[1], "s", 1); // a full pipe has been told already
    errno = keptError;
}

void handle(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction present {}; // a closed terminal stops a run as Ctrl+C does; under nohup it goes on
    if (::sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
        ::sigaction(SIGHUP, &action, nullptr);
}
} // namespace

StopSignal::StopSignal(std::function<void()> onFirst) : m_onFirst(std::move(onFirst)) {
    if (::pipe2(s_pipe, O_CLOEXEC) != 0)
        return; // without a pipe the signals keep ending the process as they always do
    s_count = 0;
    m_thread = std::thread([this] {
        char byte = 0;
        while (::read(s_pipe[0], &byte, 1) < 0 && errno == EINTR)
            continue;
        if (byte == 's')
            m_onFirst();
    });
    handle(onStopSignal);
}

StopSignal::~StopSignal() {
    handle(SIG_DFL);
    if (!m_thread.joinable())
        return;
    [[maybe_unused]] const auto ignored = ::write(s_pipe[1], "e", 1); // wakes the thread where no signal came
    m_thread.join();
    ::close(s_pipe[0]);
    ::close(s_pipe[1]);
}

} // namespace trainyard::cli
