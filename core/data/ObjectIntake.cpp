#include "core/data/ObjectIntake.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr float kSlack = 1; ///< pixels that a box may leave the image without a word: the rounding of many tools

bool staysInside(const Box& box, const SampleInfo& info) {
    return box.x1 >= -kSlack && box.y1 >= -kSlack && box.x2 <= float(info.width) + kSlack &&
           box.y2 <= float(info.height) + kSlack;
}

Box clipped(const Box& box, const SampleInfo& info) {
    const float w = float(info.width), h = float(info.height);
    return {std::clamp(box.x1, 0.f, w), std::clamp(box.y1, 0.f, h), std::clamp(box.x2, 0.f, w),
            std::clamp(box.y2, 0.f, h)};
}

std::string sidesOf(const Box& box) {
    return fmt::format("{:g} {:g} {:g} {:g}", box.x1, box.y1, box.x2, box.y2);
}

bool isFinite(const Box& box) {
    return std::isfinite(box.x1) && std::isfinite(box.y1) && std::isfinite(box.x2) && std::isfinite(box.y2);
}

bool hasPixels(const Box& box) {
    return isFinite(box) && box.x2 > box.x1 && box.y2 > box.y1;
}

/// At least a pixel wide and high around the same centre, moved into the image where that is known.
Box widened(Box box, const SampleInfo& info) {
    const auto widen = [](float& low, float& high, int side) {
        if (high > low)
            return;
        const float middle = (low + high) / 2;
        low = middle - 0.5f;
        if (side > 0)
            low = std::clamp(low, 0.f, float(side - 1));
        high = low + 1;
    };
    widen(box.x1, box.x2, info.width);
    widen(box.y1, box.y2, info.height);
    return box;
}

std::int64_t visibleKeypoints(const SampleInfo& info) {
    std::int64_t count = 0;
    for (const ObjectAnnotation& object : info.objects)
        if (!object.isCrowd)
            count += std::count_if(object.keypoints.begin(), object.keypoints.end(),
                                   [](const Keypoint& keypoint) { return keypoint.visibility > 0; });
    return count;
}

} // namespace

bool hasObject(const SampleInfo& info) {
    return std::any_of(info.objects.begin(), info.objects.end(), [](const ObjectAnnotation& o) { return !o.isCrowd; });
}

Result<void> ObjectIntake::tell(const std::string& rule, const char* key, const Source& source, const Box& box,
                                const std::string& what, const char* done) {
    if (rule == "stop")
        return Error{ErrorKind::Data, fmt::format("Annotation {} of {} {}.", source.id, source.sample, what),
                     source.file, fmt::format("Correct it, or choose another {}.", key)};
    m_problems.push_back({DataProblem::Severity::Warning, source.sample,
                          fmt::format("Annotation {} {}; it is {}.", source.id, what, done), source.file, source.id,
                          box});
    return {};
}

Result<bool> ObjectIntake::hasArea(const SampleInfo& info, ObjectAnnotation& object, const Source& source) {
    if (hasPixels(object.box))
        return true;
    const std::string& rule = m_context.config.data.onZeroArea;
    const bool isMended = rule == "fix" && isFinite(object.box);
    if (auto told =
            tell(rule, "data.on_zero_area", source, object.box, fmt::format("has a box without area ({})", sidesOf(object.box)),
                 isMended ? "made a pixel wide and high" : "left out");
        !told)
        return told.error();
    if (isMended)
        object.box = widened(object.box, info);
    return isMended;
}

Result<bool> ObjectIntake::isInside(const SampleInfo& info, ObjectAnnotation& object, const Source& source) {
    if (info.width <= 0 || info.height <= 0 || staysInside(object.box, info))
        return true;
    const std::string& rule = m_context.config.data.onOutside;
    const Box inside = clipped(object.box, info);
    const bool isClipped = rule != "skip" && hasPixels(inside);
    if (auto told =
            tell(rule, "data.on_outside", source, object.box,
                 fmt::format("{} the image of {} x {} pixels ({})", hasPixels(inside) ? "leaves" : "lies outside",
                             info.width, info.height, sidesOf(object.box)),
                 isClipped ? "clipped" : "left out");
        !told)
        return told.error();
    if (isClipped)
        object.box = inside;
    return isClipped;
}

Result<bool> ObjectIntake::isNew(const SampleInfo& info, ObjectAnnotation& object, const Source& source) {
    const std::string& rule = m_context.config.data.onDuplicate;
    for (const ObjectAnnotation& other : info.objects) {
        if (other.label != object.label || !(other.box == object.box) || other.isCrowd != object.isCrowd)
            continue;
        if (auto told =
                tell(rule, "data.on_duplicate", source, object.box,
                     fmt::format("repeats annotation {}: same class, same box ({})", other.id, sidesOf(object.box)),
                     rule == "skip" ? "left out" : "kept");
            !told)
            return told.error();
        return rule != "skip";
    }
    return true;
}

Result<void> ObjectIntake::add(SampleInfo& info, ObjectAnnotation object, const std::string& file,
                               const std::string& id) {
    const Source source{info.id, file, id.empty() ? std::to_string(object.id) : id};
    for (const auto check : {&ObjectIntake::hasArea, &ObjectIntake::isInside, &ObjectIntake::isNew}) {
        const auto isGood = (this->*check)(info, object, source);
        if (!isGood)
            return isGood.error();
        if (!*isGood)
            return {};
    }
    if (object.area <= 0)
        object.area = object.box.area();
    if (m_context.isForTraining && object.area < m_context.config.data.minArea)
        ++m_small;
    else
        info.objects.push_back(std::move(object));
    return {};
}

bool ObjectIntake::ignores() {
    ++m_ignored;
    return m_context.isForTraining;
}

bool ObjectIntake::keeps(const SampleInfo& info) {
    if (!m_context.isForTraining)
        return true;
    const DataConfig& data = m_context.config.data;
    ++m_images;
    if (data.onEmpty == "drop" && !hasObject(info) && m_entry.proposals.empty()) {
        ++m_withoutObject;
        return false;
    }
    if (visibleKeypoints(info) < data.minKeypoints) {
        ++m_withFewKeypoints;
        return false;
    }
    return true;
}

void ObjectIntake::finish() {
    const auto note = [this](const std::string& message) {
        m_problems.push_back({DataProblem::Severity::Warning, "", message});
    };
    if (m_ignored > 0)
        note(fmt::format("{} annotations are marked with ignore: training leaves them out.", m_ignored));
    if (m_small > 0)
        note(fmt::format("{} objects with an area below {:g} are left out of training.", m_small,
                         m_context.config.data.minArea));
    if (m_withoutObject + m_withFewKeypoints > 0)
        note(fmt::format("{} of {} images are left to train on: {} have no object to learn, {} fewer than {} visible "
                         "keypoints.",
                         m_images - m_withoutObject - m_withFewKeypoints, m_images, m_withoutObject, m_withFewKeypoints,
                         m_context.config.data.minKeypoints));
}

} // namespace trainyard
