#pragma once

#include "core/base/Error.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// One replica's door to the others. Every rank must make the same calls in the same order. A lost peer throws
/// std::runtime_error with one line that says which rank and what to do. Used on its replica's thread.
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
};

/// The communicator of a run with one replica: does nothing, quickly.
std::unique_ptr<Communicator> makeSingleCommunicator();

/// `count` ranks inside this process (a thread each), over c10d: Gloo on loopback for CPUs, NCCL for GPUs where built.
Result<std::vector<std::unique_ptr<Communicator>>> makeLocalCommunicators(int count, const std::string& deviceType);

} // namespace trainyard
