#include "core/parallel/GroupCommunicator.h"

#include "core/parallel/TensorBuckets.h"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#ifdef TRAINYARD_HAS_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace trainyard {

void Departure::note(int rank, const std::string& reason) {
    const std::lock_guard lock(m_mutex);
    if (m_rank >= 0)
        return;
    m_rank = rank;
    m_reason = reason;
}

std::string Departure::textFor(int rank) const {
    const std::lock_guard lock(m_mutex);
    return rank == m_rank ? m_reason : "replica " + std::to_string(m_rank) + " left: " + m_reason;
}

namespace {

/// A store in memory whose waiting can be called off.
class MeetingStore final : public c10d::HashStore {
public:
    using HashStore::wait;
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
        std::unique_lock lock(m_);
        const auto areThere = [&] {
            return std::all_of(keys.begin(), keys.end(), [this](const auto& key) { return map_.count(key) > 0; });
        };
        const bool isOver = cv_.wait_for(lock, timeout, [&] { return !m_reason.empty() || areThere(); });
        if (!m_reason.empty())
            throw std::runtime_error("a replica did not come: " + m_reason);
        if (!isOver)
            throw std::runtime_error("the other replicas did not come in time");
    }
    void callOff(const std::string& reason) {
        {
            const std::lock_guard lock(m_);
            if (m_reason.empty())
                m_reason = reason;
        }
        cv_.notify_all();
    }

private:
    std::string m_reason;
};

} // namespace

struct Rendezvous {
    c10::intrusive_ptr<MeetingStore> store = c10::make_intrusive<MeetingStore>();
};

std::shared_ptr<Rendezvous> makeRendezvous() {
    return std::make_shared<Rendezvous>();
}

void callOff(Rendezvous& rendezvous, const std::string& reason) {
    rendezvous.store->callOff(reason);
}

namespace {

/// The first line, without Gloo's "[FILE:LINE] " before it.
std::string plainReason(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    const auto bracket = line.starts_with('[') ? line.find("] ") : std::string::npos;
    return bracket == std::string::npos ? line : line.substr(bracket + 2);
}

/// One rank of a c10d process group. `Group` is the concrete class: its base differs between LibTorch's versions.
template <class Group>
class GroupCommunicator final : public Communicator {
public:
    GroupCommunicator(c10::intrusive_ptr<Group> group, std::shared_ptr<Departure> departure, at::DeviceType device)
        : m_group(std::move(group)), m_departure(std::move(departure)), m_rank(m_group->getRank()),
          m_size(m_group->getSize()), m_device(device) {}

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }

    void averageInPlace(std::vector<at::Tensor>& tensors) override {
        guarded("averaging gradients", [&] {
            forEachBucket(
                tensors, [&](std::vector<at::Tensor>& message) { return m_group->allreduce(message); },
                [&](at::Tensor& flat) { flat.div_(m_size); });
        });
    }

    void broadcastFromFirst(std::vector<at::Tensor>& tensors) override {
        guarded("sharing the first replica's values", [&] {
            forEachBucket(
                tensors, [&](std::vector<at::Tensor>& message) { return m_group->broadcast(message); },
                [](at::Tensor&) {});
        });
    }

    std::vector<double> maximum(std::vector<double> values) override {
        guarded("comparing numbers", [&] {
            const auto own = at::from_blob(values.data(), {std::int64_t(values.size())}, at::kDouble);
            std::vector<at::Tensor> message{own.to(at::Device(m_device))}; // itself on the CPU
            c10d::AllreduceOptions options;
            options.reduceOp = c10d::ReduceOp::MAX;
            m_group->allreduce(message, options)->wait();
            own.copy_(message.front());
        });
        return values;
    }

    void barrier() override {
        guarded("waiting for the others", [&] { m_group->barrier()->wait(); });
    }

    void leave(const std::string& reason) override {
        m_departure->note(m_rank, reason);
        m_group.reset(); // closes the connections, which wakes the others
    }

private:
    /// Sends buckets in order; while one is under way the next is packed.
    template <class Send, class Finish>
    void forEachBucket(std::vector<at::Tensor>& tensors, const Send& send, const Finish& finish) {
        at::NoGradGuard noGrad;
        struct Pending {
            const TensorBucket* bucket;
            std::vector<at::Tensor> message;
            c10::intrusive_ptr<c10d::Work> work;
        };
        std::deque<Pending> pending;
        const auto finishOldest = [&] {
            Pending& oldest = pending.front();
            oldest.work->wait();
            finish(oldest.message.front());
            unpack(*oldest.bucket, oldest.message.front(), tensors);
            pending.pop_front();
        };
        const auto buckets = cutIntoBuckets(tensors);
        for (const TensorBucket& bucket : buckets) {
            pending.push_back({&bucket, {packed(bucket, tensors)}, {}});
            pending.back().work = send(pending.back().message);
            if (pending.size() > 1)
                finishOldest();
        }
        while (!pending.empty())
            finishOldest();
    }

    /// Turns what c10d throws into one line, and leaves: whoever waits for this rank must not wait for the time-out.
    template <class Work>
    void guarded(const char* doing, const Work& work) {
        if (!m_group)
            throw std::logic_error("A replica that has left the group was asked to go on.");
        try {
            work();
        } catch (const std::exception& error) {
            leave(plainReason(error.what()));
            throw std::runtime_error("Replica " + std::to_string(m_rank) + " lost the others while " + doing + " (" +
                                     m_departure->textFor(m_rank) + "). Resume the run from its newest checkpoint.");
        }
    }

    c10::intrusive_ptr<Group> m_group;
    std::shared_ptr<Departure> m_departure;
    int m_rank;
    int m_size;
    at::DeviceType m_device;
};

} // namespace

std::unique_ptr<Communicator> joinOverGloo(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Departure>& departure, int rank, int size,
                                           std::chrono::milliseconds timeout) {
    auto options = c10d::ProcessGroupGloo::Options::create(timeout);
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(rendezvous->store, rank, size, options);
    return std::make_unique<GroupCommunicator<c10d::ProcessGroupGloo>>(std::move(group), departure, at::kCPU);
}

#ifdef TRAINYARD_HAS_NCCL
bool hasNccl() {
    return true;
}

std::unique_ptr<Communicator> joinOverNccl(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Departure>& departure, int rank, int size,
                                           std::chrono::milliseconds timeout) {
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = timeout;
    auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(rendezvous->store, rank, size, options);
    return std::make_unique<GroupCommunicator<c10d::ProcessGroupNCCL>>(std::move(group), departure, at::kCUDA);
}
#else
bool hasNccl() {
    return false;
}

std::unique_ptr<Communicator> joinOverNccl(const std::shared_ptr<Rendezvous>&, const std::shared_ptr<Departure>&, int,
                                           int, std::chrono::milliseconds) {
    throw std::runtime_error("This LibTorch has no NCCL.");
}
#endif

} // namespace trainyard
