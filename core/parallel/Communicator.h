#pragma once

#include "core/base/Error.h"

#include <ATen/core/Tensor.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// One replica's door to the others. Every rank must make the same calls in the same order, with tensors of the same
/// shapes and types. A lost peer throws std::runtime_error with one line that says which rank and what to do. Used on
/// its replica's thread.
///
/// The number of compute threads belongs to the thread that calls operators: a replica's thread must call
/// at::set_num_threads itself, with its share of the cores, before its first operator.
class Communicator {
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Replaces each tensor by its mean over the ranks; packed into buckets, same order of addition every time.
    virtual void averageInPlace(std::vector<at::Tensor>& tensors) = 0;
    /// Every rank receives rank 0's values.
    virtual void broadcastFromFirst(std::vector<at::Tensor>& tensors) = 0;
    /// Element-wise maximum over the ranks of small numbers (flags, norms).
    virtual std::vector<double> maximum(std::vector<double> values) = 0;
    virtual void barrier() = 0;
    /// For a rank that gives up: whoever waits for it, now or later, fails at once with `reason` in the sentence
    /// instead of after the time-out. Nothing else may be called afterwards. A call that throws has left already.
    virtual void leave(const std::string& reason) = 0;
};

/// The communicator of a run with one replica: does nothing, quickly.
std::unique_ptr<Communicator> makeSingleCommunicator();

/// `count` ranks inside this process (a thread each), over c10d: Gloo on loopback for CPUs, NCCL for GPUs where built.
/// A rank that waits longer than `timeout` for the others gives up; rank 0 may be away for an evaluation, so be
/// generous.
Result<std::vector<std::unique_ptr<Communicator>>>
makeLocalCommunicators(int count, const std::string& deviceType,
                       std::chrono::milliseconds timeout = std::chrono::minutes(30));

} // namespace trainyard
