#include "core/loader/Collation.h"

#include "core/base/Text.h"
#include "core/config/PictureScaling.h"
#include "core/config/WordInput.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace trainyard {
namespace {

ByteTable byteTable(double mean, double deviation) {
    ByteTable table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte)
        table[byte] = float((double(byte) - mean) / deviation);
    return table;
}

/// One image into its place: rows of `paddedWidth` pixels, channels innermost, the rest is left as it is (zero).
void normalise(const Image& image, int paddedWidth, const PixelRule& rule, float* target) {
    const int channels = int(rule.tables.size());
    for (int y = 0; y < image.height; ++y) {
        const std::uint8_t* source = image.row(y);
        float* row = target + std::size_t(y) * std::size_t(paddedWidth) * std::size_t(channels);
        if (image.channels == channels) {
            for (int x = 0; x < image.width; ++x, source += channels)
                for (int c = 0; c < channels; ++c)
                    *row++ = rule.tables[std::size_t(c)][source[rule.sources[std::size_t(c)]]];
        } else if (image.channels == 1) { // grey stands for all channels
            for (int x = 0; x < image.width; ++x, ++source)
                for (int c = 0; c < channels; ++c)
                    *row++ = rule.tables[std::size_t(c)][*source];
        } else { // colour to grey, ITU-R BT.601
            for (int x = 0; x < image.width; ++x, source += 3)
                *row++ =
                    rule.tables[0][std::size_t((299 * source[0] + 587 * source[1] + 114 * source[2] + 500) / 1000)];
        }
    }
}

/// How many of `whole` network pixels the picture reaches, measured from the left or the top; the rest is padding. A
/// mirrored picture ends at its offset.
std::int64_t reach(int filePixels, double scale, double offset, int whole) {
    if (filePixels <= 0)
        return whole;
    return std::clamp<std::int64_t>(std::llround(offset + std::max(0.0, filePixels * scale)), 1, whole);
}

template <class T>
at::Tensor tensorOf(const std::vector<T>& values, at::IntArrayRef sizes, at::ScalarType type) {
    at::Tensor tensor = at::empty(sizes, at::TensorOptions().dtype(type));
    if (!values.empty())
        std::memcpy(tensor.data_ptr(), values.data(), values.size() * sizeof(T));
    return tensor;
}

int roundedUp(int size, std::int64_t multiple) {
    return int((size + multiple - 1) / multiple * multiple);
}

PixelRule pixelRule(const RunConfig& config, TaskKind task) {
    PixelRule rule;
    if (task == TaskKind::Recognition) {
        rule.tables.assign(std::size_t(wordInput(config.model).channels), byteTable(127.5, 127.5)); // -1 … 1
        return rule;
    }
    const NormaliseConfig& normalise = config.data.normalise;
    if (normalise.channelOrder == "bgr")
        rule.sources = {2, 1, 0};
    for (std::size_t channel = 0; channel < 3; ++channel)
        rule.tables.push_back(byteTable(normalise.mean.at(channel), normalise.deviation.at(channel)));
    return rule;
}

} // namespace

Collation::Collation(const RunConfig& config, TaskKind task)
    : m_task(task), m_pixels(pixelRule(config, task)),
      m_padTo(task == TaskKind::Detection ? pictureScaling(config, true).padTo : 1),
      m_detector(detectorInput(config.model)),
      m_alphabet(wordInput(config.model).alphabet, wordInput(config.model).caseSensitive) {}

std::vector<Batch> Collation::collate(std::vector<Sample> samples, int parts) const {
    PaddedSize size;
    for (const Sample& sample : samples) {
        size.height = std::max(size.height, sample.image.height);
        size.width = std::max(size.width, sample.image.width);
    }
    size = {roundedUp(size.height, m_padTo), roundedUp(size.width, m_padTo)};
    std::vector<std::vector<Sample>> dealt(static_cast<std::size_t>(parts));
    for (std::size_t i = 0; i < samples.size(); ++i)
        dealt[i % std::size_t(parts)].push_back(std::move(samples[i]));
    std::vector<Batch> batches;
    for (auto& part : dealt)
        batches.push_back(collatePart(std::move(part), size));
    return batches;
}

Batch Collation::collatePart(std::vector<Sample> samples, PaddedSize size) const {
    Batch batch;
    batch.images = images(samples, size);
    if (m_task == TaskKind::Detection)
        detectionTargets(samples, batch);
    else
        recognitionTargets(samples, batch);
    for (Sample& sample : samples)
        batch.samples.push_back(std::move(sample.info));
    return batch;
}

at::Tensor Collation::images(const std::vector<Sample>& samples, PaddedSize size) const {
    const std::size_t channels = m_pixels.tables.size();
    const std::size_t count = std::size_t(size.height) * std::size_t(size.width) * channels;
    at::Tensor pixels =
        at::empty({std::int64_t(samples.size()), size.height, size.width, std::int64_t(channels)}, at::kFloat);
    auto* target = pixels.data_ptr<float>();
    for (const Sample& sample : samples) {
        if (sample.image.height != size.height || sample.image.width != size.width)
            std::memset(target, 0, count * sizeof(float));
        normalise(sample.image, size.width, m_pixels, target);
        target += count;
    }
    return pixels.permute({0, 3, 1, 2}); // channels-last in memory
}

void Collation::detectionTargets(const std::vector<Sample>& samples, Batch& batch) const {
    std::vector<float> boxes, keypoints, proposals;
    std::vector<std::int64_t> labels, counts, sizes, proposalCounts;
    std::vector<std::uint8_t> crowd;
    for (const Sample& sample : samples) {
        std::int64_t count = 0;
        for (const ObjectAnnotation& object : sample.objects) {
            if (!(object.box.width() > 0 && object.box.height() > 0))
                continue; // nothing of it is left in the picture
            boxes.insert(boxes.end(), {object.box.x1, object.box.y1, object.box.x2, object.box.y2});
            labels.push_back(object.label);
            crowd.push_back(object.isCrowd);
            objectDetails(object, keypoints, batch);
            ++count;
        }
        counts.push_back(count);
        for (const Box& box : sample.proposals)
            proposals.insert(proposals.end(), {box.x1, box.y1, box.x2, box.y2});
        proposalCounts.push_back(std::int64_t(sample.proposals.size()));
        const SampleInfo& info = sample.info;
        sizes.insert(sizes.end(), {reach(info.height, info.scaleY, info.offsetY, sample.image.height),
                                   reach(info.width, info.scaleX, info.offsetX, sample.image.width)});
    }
    const auto rows = std::int64_t(labels.size()), images = std::int64_t(samples.size());
    batch.targets["boxes"] = tensorOf(boxes, {rows, 4}, at::kFloat);
    batch.targets["labels"] = tensorOf(labels, {rows}, at::kLong);
    batch.targets["crowd"] = tensorOf(crowd, {rows}, at::kBool);
    batch.targets["counts"] = tensorOf(counts, {images}, at::kLong);
    batch.targets["sizes"] = tensorOf(sizes, {images, 2}, at::kLong);
    if (m_detector.keypoints > 0)
        batch.targets["keypoints"] = tensorOf(keypoints, {rows, m_detector.keypoints, 3}, at::kFloat);
    if (m_detector.takesProposals) {
        batch.targets["proposals"] = tensorOf(proposals, {std::int64_t(proposals.size()) / 4, 4}, at::kFloat);
        batch.targets["proposal_counts"] = tensorOf(proposalCounts, {images}, at::kLong);
    }
}

/// What is learnt of an object beside its box and class; zeros for keypoints that it does not have.
void Collation::objectDetails(const ObjectAnnotation& object, std::vector<float>& keypoints, Batch& batch) const {
    const auto wanted = std::size_t(m_detector.keypoints);
    for (std::size_t k = 0; k < wanted; ++k) {
        const Keypoint one = k < object.keypoints.size() ? object.keypoints[k] : Keypoint{};
        keypoints.insert(keypoints.end(), {one.at.x, one.at.y, float(one.visibility)});
    }
    if (m_detector.hasMasks)
        batch.shapes.push_back({object.polygons, object.mask});
}

void Collation::recognitionTargets(const std::vector<Sample>& samples, Batch& batch) const {
    std::vector<std::int64_t> labels, lengths;
    for (const Sample& sample : samples) {
        const std::size_t before = labels.size();
        for (const char32_t character : text::repaired(sample.info.transcript))
            if (const auto position = m_alphabet.positionOf(character)) // in training, data has dealt with the others
                labels.push_back(*position);
        lengths.push_back(std::int64_t(labels.size() - before));
    }
    batch.targets["labels"] = tensorOf(labels, {std::int64_t(labels.size())}, at::kLong);
    batch.targets["lengths"] = tensorOf(lengths, {std::int64_t(lengths.size())}, at::kLong);
}

} // namespace trainyard
