#pragma once

#include "core/parallel/Communicator.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace trainyard {

/// Which ranks of a local group have left and why. Shared by the ranks; any thread.
class Roster {
public:
    void note(int rank, const std::string& reason);
    std::string text() const; ///< "replica 1 left: REASON", or nothing while all are there

private:
    mutable std::mutex m_mutex;
    std::map<int, std::string> m_left;
};

/// Where the ranks of a local group find each other: c10d's store, kept out of this header.
struct Rendezvous;
std::shared_ptr<Rendezvous> makeRendezvous();

/// The rank over Gloo on loopback, for tensors on the CPU. Waits for the others to do the same; throws a one-line
/// std::runtime_error when they do not within `timeout`.
std::unique_ptr<Communicator> joinOverGloo(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Roster>& roster, int rank, int size,
                                           std::chrono::milliseconds timeout);

/// Whether joinOverNccl can work: LibTorch has CUDA and NCCL.
bool hasNccl();

/// The rank over NCCL, for tensors on GPUs, each rank on one of its own.
std::unique_ptr<Communicator> joinOverNccl(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Roster>& roster, int rank, int size,
                                           std::chrono::milliseconds timeout);

} // namespace trainyard
