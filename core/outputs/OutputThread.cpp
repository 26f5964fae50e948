#include "core/outputs/OutputThread.h"

#include <exception>
#include <pthread.h>
#include <utility>

namespace trainyard {

OutputThread::OutputThread() : m_thread([this] { work(); }) {
    ::pthread_setname_np(m_thread.native_handle(), "outputs");
}

OutputThread::~OutputThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void OutputThread::post(std::function<Result<void>()> deed) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_deeds.size() >= kMost)
            note("The disk is too slow for the outputs of this run: some entries are left out.");
        else
            m_deeds.push_back(std::move(deed));
    }
    m_changed.notify_all();
}

void OutputThread::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_deeds.empty() && !m_isBusy; });
}

std::vector<std::string> OutputThread::takeTroubles() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_troubles, {});
}

void OutputThread::note(const std::string& sentence) {
    if (m_told.insert(sentence).second)
        m_troubles.push_back(sentence);
}

void OutputThread::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_deeds.empty(); });
        if (m_deeds.empty())
            return;
        const auto deed = std::move(m_deeds.front());
        m_deeds.pop_front();
        m_isBusy = true;
        lock.unlock();
        Result<void> done;
        try {
            done = deed();
        } catch (const std::exception& failure) { // what a library throws costs this output alone
            done = Error{ErrorKind::Unexpected, std::string("An output of the run failed: ") + failure.what() + ".", "",
                         ""};
        }
        lock.lock();
        m_isBusy = false;
        if (!done)
            note(done.error().sentence());
        m_changed.notify_all();
    }
}

} // namespace trainyard
