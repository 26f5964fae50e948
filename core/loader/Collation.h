#pragma once

#include "core/config/DetectorInput.h"
#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"
#include "core/models/Batch.h"
#include "core/models/recognition/CtcAlphabet.h"

#include <array>
#include <vector>

namespace trainyard {

/// What a byte of one channel becomes.
using ByteTable = std::array<float, 256>;

/// How pixels become numbers: a table for each of the network's channels, and which of the picture's it looks at.
struct PixelRule {
    std::vector<ByteTable> tables;
    std::array<std::size_t, 3> sources = {0, 1, 2};
};

/// Makes tensors of samples that went through the transforms, as Batch.h describes them. Immutable; any thread. Runs in
/// plain loops on the caller's thread: the compute threads are not woken.
class Collation {
public:
    Collation(const RunConfig& config, TaskKind task);

    /// One batch a part, all padded to one size (detection: a multiple of `data.resize.pad_to`); part p gets `samples`
    /// p, p + parts, p + 2 parts, … The pixels are used up.
    std::vector<Batch> collate(std::vector<Sample> samples, int parts) const;

private:
    struct PaddedSize {
        int height = 0, width = 0;
    };
    Batch collatePart(std::vector<Sample> samples, PaddedSize size) const;
    at::Tensor images(const std::vector<Sample>& samples, PaddedSize size) const;
    void detectionTargets(const std::vector<Sample>& samples, Batch& batch) const;
    void objectDetails(const ObjectAnnotation& object, std::vector<float>& keypoints, Batch& batch) const;
    void recognitionTargets(const std::vector<Sample>& samples, Batch& batch) const;

    TaskKind m_task;
    PixelRule m_pixels;
    std::int64_t m_padTo;
    DetectorInput m_detector;
    CtcAlphabet m_alphabet;
};

} // namespace trainyard
