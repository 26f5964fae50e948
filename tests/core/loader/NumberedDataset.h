#pragma once

#include "core/data/Dataset.h"
#include "core/data/Transforms.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace trainyard::testing {

/// A dataset in memory whose image number i has grey value i and one box. Some of its images are damaged.
class NumberedDataset final : public Dataset {
public:
    NumberedDataset(std::string name, std::int64_t size, std::set<std::int64_t> damaged = {},
                    TaskKind task = TaskKind::Detection)
        : m_name(std::move(name)), m_size(size), m_damaged(std::move(damaged)), m_task(task) {}

    TaskKind task() const override { return m_task; }
    std::string name() const override { return m_name; }
    std::string format() const override { return "numbered"; }
    std::int64_t size() const override { return m_size; }
    const std::vector<std::string>& classes() const override { return m_classes; }
    std::vector<std::int64_t> categoryIds() const override { return {1}; }
    SampleInfo info(std::int64_t index) const override {
        SampleInfo info;
        info.id = m_name + std::to_string(index);
        info.dataset = m_name;
        info.imageId = index;
        info.width = 6;
        info.height = 4;
        info.transcript = "a" + std::to_string(index);
        return info;
    }
    Result<Sample> sample(std::int64_t index) const override {
        if (m_damaged.contains(index))
            return Error{ErrorKind::Data, "The image is damaged.", m_name + std::to_string(index), ""};
        Sample sample;
        sample.info = info(index);
        const int channels = m_task == TaskKind::Detection ? 3 : 1;
        sample.image = {6, 4, channels, std::vector<std::uint8_t>(std::size_t(24 * channels), std::uint8_t(index))};
        ObjectAnnotation object;
        object.box = {1, 1, 3, 2};
        sample.objects = {object};
        return sample;
    }
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return m_name; }

private:
    std::string m_name;
    std::int64_t m_size;
    std::set<std::int64_t> m_damaged;
    TaskKind m_task;
    std::vector<std::string> m_classes = {"thing"};
    std::vector<DataProblem> m_problems;
};

/// Writes random bytes over the first row, so that every random draw is seen in the batch.
class RandomRow final : public Transform {
public:
    std::string name() const override { return "random row"; }
    void apply(Sample& sample, Random& random) const override {
        for (int x = 0; x < sample.image.width * sample.image.channels; ++x)
            sample.image.row(0)[x] = std::uint8_t(random.integer(0, 255));
    }
};

inline std::shared_ptr<const TransformChain> randomChain() {
    auto chain = std::make_shared<TransformChain>();
    chain->add(std::make_unique<RandomRow>());
    return chain;
}

} // namespace trainyard::testing
