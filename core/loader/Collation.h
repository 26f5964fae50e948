#pragma once

#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"
#include "core/models/Batch.h"
#include "core/models/recognition/CtcAlphabet.h"

#include <vector>

namespace trainyard {

/// Makes tensors of samples that went through the transforms, as Batch.h describes them. Immutable; any thread. Runs in
/// plain loops on the caller's thread: the compute threads are not woken.
class Collation {
public:
    Collation(const RunConfig& config, TaskKind task);

    /// One batch a part, all padded to one size; part p gets `samples` p, p + parts, p + 2 parts, … The pixels are used
    /// up.
    std::vector<Batch> collate(std::vector<Sample> samples, int parts) const;

private:
    struct PaddedSize {
        int height = 0, width = 0;
    };
    Batch collatePart(std::vector<Sample> samples, PaddedSize size) const;
    at::Tensor images(const std::vector<Sample>& samples, PaddedSize size) const;
    void detectionTargets(const std::vector<Sample>& samples, Batch& batch) const;
    void recognitionTargets(const std::vector<Sample>& samples, Batch& batch) const;

    TaskKind m_task;
    int m_channels;
    CtcAlphabet m_alphabet;
};

} // namespace trainyard
