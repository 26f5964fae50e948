#pragma once

#include "core/data/Dataset.h"
#include "core/data/Transforms.h"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace trainyard::testing {

/// A dataset in memory whose image number i has grey value i and one box. Some of its images are damaged.
class NumberedDataset : public Dataset {
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
        info.transcript = std::to_string(index).insert(0, 1, 'a');
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

/// One that minds how many of its images were read.
class CountingDataset final : public NumberedDataset {
public:
    using NumberedDataset::NumberedDataset;
    Result<Sample> sample(std::int64_t index) const override {
        if (++m_reads > m_most)
            m_isTooMuch = true;
        return NumberedDataset::sample(index);
    }
    void mayRead(std::int64_t most) { m_most = most; }
    bool hasReadTooMuch() const { return m_isTooMuch; }

private:
    mutable std::atomic<std::int64_t> m_reads = 0;
    std::atomic<std::int64_t> m_most = 0;
    mutable std::atomic<bool> m_isTooMuch = false;
};

/// One whose odd images are taller than wide.
class TurnedDataset final : public NumberedDataset {
public:
    using NumberedDataset::NumberedDataset;
    SampleInfo info(std::int64_t index) const override {
        SampleInfo info = NumberedDataset::info(index);
        if (index % 2 == 1)
            std::swap(info.width, info.height);
        return info;
    }
    Result<Sample> sample(std::int64_t index) const override {
        auto sample = NumberedDataset::sample(index);
        if (index % 2 == 1)
            std::swap(sample->image.width, sample->image.height);
        return sample;
    }
};

/// One whose image i has i % 5 visible keypoints and a hidden one that is not labelled.
class KeypointDataset final : public NumberedDataset {
public:
    using NumberedDataset::NumberedDataset;
    Result<Sample> sample(std::int64_t index) const override {
        auto sample = NumberedDataset::sample(index);
        sample->objects[0].keypoints.assign(std::size_t(index % 5), {{1, 1}, 2});
        sample->objects[0].keypoints.push_back({});
        return sample;
    }
};

/// One whose reads hang from a certain one on, as on a disk that does not answer, until someone releases them; then
/// they find the image damaged.
class HangingDataset final : public NumberedDataset {
public:
    HangingDataset(std::string name, std::int64_t size, int goodReads)
        : NumberedDataset(std::move(name), size), m_goodReads(std::size_t(goodReads)) {}
    ~HangingDataset() override { m_gone.set_value(); }

    Result<Sample> sample(std::int64_t index) const override {
        if (isGood(index))
            return NumberedDataset::sample(index);
        if (!m_isHanging.exchange(true))
            m_hangs.set_value();
        m_released.wait();
        return Error{ErrorKind::Data, "The image is damaged.", "", ""};
    }

    void awaitHanging() { m_hangs.get_future().wait(); }                    ///< once; until a read hangs
    std::shared_future<void> gone() { return m_gone.get_future().share(); } ///< once; ready when this is destroyed
    void release() {
        m_isReleased = true;
        m_release->set_value();
    }
    std::shared_ptr<std::promise<void>> releaser() { return m_release; } ///< for whoever outlives the dataset

private:
    /// One of the first images asked for; a queue that starts anew may ask for them again.
    bool isGood(std::int64_t index) const {
        const std::lock_guard lock(m_mutex);
        if (m_isReleased)
            return false;
        if (m_good.size() < m_goodReads)
            m_good.insert(index);
        return m_good.count(index) > 0;
    }

    mutable std::mutex m_mutex;
    mutable std::set<std::int64_t> m_good;
    std::size_t m_goodReads;
    mutable std::atomic<bool> m_isHanging = false;
    std::atomic<bool> m_isReleased = false;
    mutable std::promise<void> m_hangs;
    std::promise<void> m_gone;
    std::shared_ptr<std::promise<void>> m_release = std::make_shared<std::promise<void>>();
    std::shared_future<void> m_released = m_release->get_future().share();
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
