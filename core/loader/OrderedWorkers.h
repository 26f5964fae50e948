#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

namespace trainyard {

/// Threads that make the values of a function of 0, 1, 2, … ahead of who takes them, at most `capacity` of them, and
/// hand them out in order. `make` runs on any of the threads and must not throw. One thread takes; any may stop.
template <class Value>
class OrderedWorkers {
public:
    using Make = std::function<Value(std::int64_t)>;
    static constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

    /// `end` is the first number that is not made.
    OrderedWorkers(Make make, int threads, int capacity, std::int64_t end = kEndless)
        : m_make(std::move(make)), m_capacity(std::max(capacity, threads)), m_end(end) {
        for (int i = 0; i < std::max(1, threads); ++i) {
            m_threads.emplace_back([this] { work(); });
            pthread_setname_np(m_threads.back().native_handle(), ("loader-" + std::to_string(i + 1)).c_str());
        }
    }
    ~OrderedWorkers() {
        stop();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    /// The next value taken is that of `number`; what was made ahead is thrown away.
    void seek(std::int64_t number) {
        {
            std::lock_guard lock(m_mutex);
            ++m_generation;
            m_ready.clear();
            m_next = m_claimed = number;
        }
        m_changed.notify_all();
    }
    /// Waits for the next value; nothing after the last one or after stop().
    std::optional<Value> take() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isStopped || m_next >= m_end || m_ready.contains(m_next); });
        if (m_isStopped || m_next >= m_end)
            return std::nullopt;
        auto node = m_ready.extract(m_next++);
        lock.unlock();
        m_changed.notify_all();
        return std::move(node.mapped());
    }
    /// Threads end after what they are at. Any thread.
    void stop() {
        {
            std::lock_guard lock(m_mutex);
            m_isStopped = true;
        }
        m_changed.notify_all();
    }
    bool isStopped() const {
        std::lock_guard lock(m_mutex);
        return m_isStopped;
    }
    int ready() const {
        std::lock_guard lock(m_mutex);
        return int(m_ready.size());
    }
    int capacity() const { return m_capacity; }

private:
    void work() {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock,
                           [this] { return m_isStopped || (m_claimed < m_end && m_claimed < m_next + m_capacity); });
            if (m_isStopped)
                return;
            const std::int64_t number = m_claimed++;
            const std::uint64_t generation = m_generation;
            lock.unlock();
            Value value = m_make(number);
            lock.lock();
            if (generation == m_generation)
                m_ready.emplace(number, std::move(value));
            m_changed.notify_all();
        }
    }

    Make m_make;
    int m_capacity;
    std::int64_t m_end;
    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::map<std::int64_t, Value> m_ready;
    std::int64_t m_next = 0;    ///< to be taken
    std::int64_t m_claimed = 0; ///< to be made
    std::uint64_t m_generation = 0;
    bool m_isStopped = false;
    std::vector<std::thread> m_threads;
};

} // namespace trainyard
