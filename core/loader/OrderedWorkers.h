#pragma once

#include "core/base/Cancellation.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

namespace trainyard {

/// Threads that make the values of a function of 0, 1, 2, … ahead of who takes them, at most `capacity` of them, and
/// hand them out in order. One thread takes; any may stop.
///
/// `make` runs on any of the threads and must not throw. It must own what it uses: a thread that hangs in it, on a disk
/// that does not answer, is left behind when the workers end, and may come back from it later.
template <class Value>
class OrderedWorkers {
public:
    /// The token is cancelled by stop(): a value nobody waits for need not be finished.
    using Make = std::function<Value(std::int64_t number, const CancellationToken& stopped)>;
    static constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

    struct Shape {
        int threads = 1;
        int capacity = 1;
        std::int64_t end = kEndless;          ///< the first number that is not made
        std::chrono::milliseconds patience{}; ///< how long the destructor waits for a thread that is in `make`
    };

    OrderedWorkers(Make make, const Shape& shape) : m_patience(shape.patience), m_desk(std::make_shared<Desk>()) {
        m_desk->make = std::move(make);
        m_desk->capacity = std::max(shape.capacity, shape.threads);
        m_desk->end = shape.end;
        m_desk->working = std::max(1, shape.threads);
        for (int i = 0; i < std::max(1, shape.threads); ++i) {
            m_threads.emplace_back([desk = m_desk] { work(*desk); });
            pthread_setname_np(m_threads.back().native_handle(), ("loader-" + std::to_string(i + 1)).c_str());
        }
    }
    ~OrderedWorkers() {
        stop();
        bool haveLeft = false;
        {
            std::unique_lock lock(m_desk->mutex);
            haveLeft = m_desk->changed.wait_for(lock, m_patience, [this] { return m_desk->working == 0; });
        }
        for (std::thread& thread : m_threads)
            haveLeft ? thread.join() : thread.detach(); // the desk lives on with whoever hangs
    }

    /// The next value taken is that of `number`; what was made ahead is thrown away.
    void seek(std::int64_t number) {
        {
            std::lock_guard lock(m_desk->mutex);
            ++m_desk->generation;
            m_desk->ready.clear();
            m_desk->next = m_desk->claimed = number;
        }
        m_desk->changed.notify_all();
    }
    /// Waits for the next value; nothing after the last one, after stop(), or once `isCancelled` (may be empty), which
    /// is asked every now and then, says so.
    std::optional<Value> take(const std::function<bool()>& isCancelled = {}) {
        std::unique_lock lock(m_desk->mutex);
        while (!m_desk->changed.wait_for(lock, kGlance, [this] { return hasNews(); })) {
            lock.unlock();
            if (isCancelled && isCancelled())
                return std::nullopt;
            lock.lock();
        }
        if (m_desk->stopped.isCancelled() || m_desk->next >= m_desk->end)
            return std::nullopt;
        auto node = m_desk->ready.extract(m_desk->next++);
        lock.unlock();
        m_desk->changed.notify_all();
        return std::move(node.mapped());
    }
    /// Threads end after what they are at. Any thread.
    void stop() {
        {
            std::lock_guard lock(m_desk->mutex);
            m_desk->stopped.cancel();
        }
        m_desk->changed.notify_all();
    }
    /// Whether every value was taken.
    bool isAtEnd() const {
        std::lock_guard lock(m_desk->mutex);
        return m_desk->next >= m_desk->end;
    }
    int ready() const {
        std::lock_guard lock(m_desk->mutex);
        return int(m_desk->ready.size());
    }
    int capacity() const { return m_desk->capacity; }

private:
    static constexpr auto kGlance = std::chrono::milliseconds(100);

    /// What the threads share with who takes, and keep as long as they run.
    struct Desk {
        Make make;
        int capacity = 1;
        std::int64_t end = kEndless;
        CancellationToken stopped;
        std::mutex mutex; // guards what follows
        std::condition_variable changed;
        std::map<std::int64_t, Value> ready;
        std::int64_t next = 0;    ///< to be taken
        std::int64_t claimed = 0; ///< to be made
        std::uint64_t generation = 0;
        int working = 0; ///< threads that have not left
    };

    bool hasNews() const {
        return m_desk->stopped.isCancelled() || m_desk->next >= m_desk->end || m_desk->ready.contains(m_desk->next);
    }

    static void work(Desk& desk) {
        std::unique_lock lock(desk.mutex);
        for (;;) {
            desk.changed.wait(lock, [&] {
                return desk.stopped.isCancelled() ||
                       (desk.claimed < desk.end && desk.claimed < desk.next + desk.capacity);
            });
            if (desk.stopped.isCancelled())
                break;
            const std::int64_t number = desk.claimed++;
            const std::uint64_t generation = desk.generation;
            lock.unlock();
            Value value = desk.make(number, desk.stopped);
            lock.lock();
            if (generation == desk.generation)
                desk.ready.emplace(number, std::move(value));
            desk.changed.notify_all();
        }
        --desk.working;
        desk.changed.notify_all();
    }

    std::chrono::milliseconds m_patience;
    std::shared_ptr<Desk> m_desk;
    std::vector<std::thread> m_threads;
};

} // namespace trainyard
