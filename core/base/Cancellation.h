#pragma once

#include <atomic>
#include <memory>

namespace trainyard {

/// A wish to stop, shared by who asks and who works. Copies share the wish. Any thread; lock-free, so a signal
/// handler may cancel too.
class CancellationToken {
public:
    CancellationToken() : m_cancelled(std::make_shared<std::atomic<bool>>(false)) {}

    void cancel() const { m_cancelled->store(true, std::memory_order_release); }
    bool isCancelled() const { return m_cancelled->load(std::memory_order_acquire); }

private:
    std::shared_ptr<std::atomic<bool>> m_cancelled;
};

} // namespace trainyard
