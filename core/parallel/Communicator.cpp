#include "core/parallel/Communicator.h"

#include "core/parallel/GroupCommunicator.h"

#include <exception>
#include <thread>

namespace trainyard {
namespace {

class SingleCommunicator final : public Communicator {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void averageInPlace(std::vector<at::Tensor>&) override {}
    void broadcastFromFirst(std::vector<at::Tensor>&) override {}
    std::vector<double> maximum(std::vector<double> values) override { return values; }
    void barrier() override {}
    void leave(const std::string&) override {}
};

Error cannotJoin(const std::string& why) {
    return {ErrorKind::Unexpected,
            "The replicas cannot reach each other (" + why.substr(0, why.find('\n')) + ").",
            {},
            "Train with one device in train.devices."};
}

} // namespace

std::unique_ptr<Communicator> makeSingleCommunicator() {
    return std::make_unique<SingleCommunicator>();
}

Result<std::vector<std::unique_ptr<Communicator>>> makeLocalCommunicators(int count, const std::string& deviceType,
                                                                          std::chrono::milliseconds timeout) {
    if (deviceType == "cuda" && !hasNccl())
        return Error{ErrorKind::Usage, "This build has no NCCL, so replicas cannot run on GPUs.", "train.devices",
                     "Use a LibTorch with CUDA, or one device."};
    std::vector<std::unique_ptr<Communicator>> communicators(static_cast<std::size_t>(count));
    if (count == 1) {
        communicators.front() = makeSingleCommunicator();
        return communicators;
    }
    const auto join = deviceType == "cuda" ? joinOverNccl : joinOverGloo;
    const auto rendezvous = makeRendezvous();
    const auto departure = std::make_shared<Departure>();
    std::vector<std::string> failures(communicators.size());
    const auto joinAs = [&](std::size_t rank) {
        try {
            communicators[rank] = join(rendezvous, departure, int(rank), count, timeout);
        } catch (const std::exception& error) {
            failures[rank] = error.what();
            callOff(*rendezvous, failures[rank].substr(0, failures[rank].find('\n')));
        }
    };
    std::vector<std::thread> threads; // each waits for the others, so none can go first
    try {
        for (std::size_t rank = 0; rank < communicators.size(); ++rank)
            threads.emplace_back(joinAs, rank);
    } catch (const std::exception& error) { // the system has no thread left
        failures[threads.size()] = error.what();
        callOff(*rendezvous, error.what());
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& failure : failures)
        if (!failure.empty())
            return cannotJoin(failure);
    return communicators;
}

} // namespace trainyard
