#pragma once

#include "app/workbench/engine/OpenedData.h"

#include <condition_variable>
#include <mutex>
#include <set>

namespace trainyard::testing {

/// A set of as many pictures as are asked for, each of one colour, eight pixels wide; counts what is decoded. While it
/// is held, no picture comes.
class FakeData final : public OpenedData {
public:
    explicit FakeData(std::int64_t samples) {
        OpenedSet set;
        set.name = "many";
        set.format = "coco";
        set.samples = samples;
        set.classes = {"thing"};
        m_sets.push_back(set);
    }
    const std::vector<OpenedSet>& sets() const override { return m_sets; }
    SampleInfo info(std::size_t, std::int64_t sample) const override {
        SampleInfo info;
        info.id = "picture-" + std::to_string(sample);
        info.width = info.height = 8;
        ObjectAnnotation object;
        object.box = {1, 1, 5, 5};
        info.objects.assign(std::size_t(sample % 3), object);
        return info;
    }
    Result<Sample> picture(std::size_t set, std::int64_t sample) const override {
        std::unique_lock lock(m_mutex);
        m_decoded.insert(sample);
        m_began.notify_all();
        m_go.wait(lock, [&] { return !m_isHeld; });
        Sample made;
        made.image = {8, 8, 1, std::vector<std::uint8_t>(64, std::uint8_t(sample % 256))};
        made.info = info(set, sample);
        made.objects = made.info.objects;
        return made;
    }
    std::string pictureKey(std::size_t, std::int64_t sample) const override { return "fake " + std::to_string(sample); }
    Result<SeenSample> seen(std::size_t set, std::int64_t sample, std::int64_t) const override {
        return SeenSample{*picture(set, sample), {"nothing"}, 0, 1};
    }
    Inspection inspect(std::size_t, const InspectionOptions&) const override { return {}; }

    void hold(bool isHeld) {
        const std::lock_guard lock(m_mutex);
        m_isHeld = isHeld;
        m_go.notify_all();
    }
    void waitUntilDecoding() const {
        std::unique_lock lock(m_mutex);
        m_began.wait(lock, [&] { return !m_decoded.empty(); });
    }
    std::set<std::int64_t> decoded() const {
        const std::lock_guard lock(m_mutex);
        return m_decoded;
    }

private:
    std::vector<OpenedSet> m_sets;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_go, m_began;
    mutable std::set<std::int64_t> m_decoded;
    bool m_isHeld = false;
};

} // namespace trainyard::testing
