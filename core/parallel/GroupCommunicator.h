#pragma once

#include "core/parallel/Communicator.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace trainyard {

/// Who was the first of a local group to leave, and why; those who follow do so because of it. Shared by the ranks; any
/// thread.
class Departure {
public:
    void note(int rank, const std::string& reason);
    /// "replica 1 left: REASON", to that rank itself REASON alone.
    std::string textFor(int rank) const;

private:
    mutable std::mutex m_mutex;
    int m_rank = -1;
    std::string m_reason;
};

/// Where the ranks of a local group find each other: c10d's store, kept out of this header.
struct Rendezvous;
std::shared_ptr<Rendezvous> makeRendezvous();
/// For a rank that cannot come: whoever waits for it there fails at once with `reason` in what it throws. Any thread.
void callOff(Rendezvous& rendezvous, const std::string& reason);

/// The rank over Gloo on loopback, for tensors on the CPU. Waits for the others to do the same; throws a one-line
/// std::runtime_error when they do not within `timeout`.
std::unique_ptr<Communicator> joinOverGloo(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Departure>& departure, int rank, int size,
                                           std::chrono::milliseconds timeout);

/// Whether joinOverNccl can work: LibTorch has CUDA and NCCL.
bool hasNccl();

/// The rank over NCCL, for tensors on GPUs, each rank on one of its own.
std::unique_ptr<Communicator> joinOverNccl(const std::shared_ptr<Rendezvous>& rendezvous,
                                           const std::shared_ptr<Departure>& departure, int rank, int size,
                                           std::chrono::milliseconds timeout);

} // namespace trainyard
