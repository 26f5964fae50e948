#include "core/data/DetectionRules.h"

#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

std::vector<std::string> namesOf(const std::vector<Category>& categories) {
    std::vector<std::string> names;
    for (const Category& category : categories)
        names.push_back(category.name);
    return names;
}

/// The model's name for a file's class; empty drops it.
std::string mappedName(const std::string& name, const std::map<std::string, std::string>& names) {
    if (const auto found = names.find(name); found != names.end())
        return found->second;
    if (const auto rest = names.find("*"); rest != names.end())
        return rest->second;
    return name;
}

bool isInside(const Box& box, const SampleInfo& info, float slack) {
    return box.x1 >= -slack && box.y1 >= -slack && box.x2 <= float(info.width) + slack &&
           box.y2 <= float(info.height) + slack;
}

Box clipped(const Box& box, const SampleInfo& info) {
    const float w = float(info.width), h = float(info.height);
    return {std::clamp(box.x1, 0.f, w), std::clamp(box.y1, 0.f, h), std::clamp(box.x2, 0.f, w),
            std::clamp(box.y2, 0.f, h)};
}

std::string sidesOf(const Box& box) {
    return fmt::format("{:g} {:g} {:g} {:g}", box.x1, box.y1, box.x2, box.y2);
}

bool hasArea(const Box& box) {
    return std::isfinite(box.x1) && std::isfinite(box.y1) && std::isfinite(box.x2) && std::isfinite(box.y2) &&
           box.x2 > box.x1 && box.y2 > box.y1;
}

} // namespace

Result<ClassMap> ClassMap::make(std::vector<Category> categories, const std::map<std::string, std::string>& names,
                                const std::string& where) {
    std::sort(categories.begin(), categories.end(), [](const Category& a, const Category& b) { return a.id < b.id; });
    std::vector<std::string> strangers;
    for (const auto& [name, target] : names)
        if (name != "*" &&
            std::none_of(categories.begin(), categories.end(), [&](const Category& c) { return c.name == name; }))
            strangers.push_back(name);
    if (!strangers.empty())
        return Error{ErrorKind::Data,
                     fmt::format("data.classes names {}, which the data does not have; its classes are {}.",
                                 text::joined(strangers, 50), text::joined(namesOf(categories), 100)),
                     where, "Correct the names in data.classes."};
    ClassMap map;
    for (const Category& category : categories) {
        const std::string name = mappedName(category.name, names);
        if (name.empty()) {
            map.m_labels[category.id] = std::nullopt;
            continue;
        }
        const auto found = std::find(map.m_classes.begin(), map.m_classes.end(), name);
        map.m_labels[category.id] = int(found - map.m_classes.begin());
        if (found == map.m_classes.end()) {
            map.m_classes.push_back(name);
            map.m_categoryIds.push_back(category.id);
        }
    }
    if (map.m_classes.empty())
        return Error{ErrorKind::Data, "No class is left to learn.", where, "Keep at least one class in data.classes."};
    return map;
}

std::optional<int> ClassMap::label(std::int64_t category) const {
    const auto found = m_labels.find(category);
    return found == m_labels.end() ? std::nullopt : found->second;
}

Result<void> ObjectIntake::refuse(const SampleInfo& info, const ObjectAnnotation& object, const std::string& file) {
    const std::string message =
        fmt::format("Annotation {} has a box without area ({}).", object.id, sidesOf(object.box));
    if (m_config.onZeroArea == "stop")
        return Error{ErrorKind::Data, message, file, "Correct the box, or set data.on_zero_area to skip."};
    m_problems.push_back({DataProblem::Severity::Warning, info.id, message + " It is left out."});
    return {};
}

Result<void> ObjectIntake::add(SampleInfo& info, ObjectAnnotation object, const std::string& file) {
    if (!hasArea(object.box))
        return refuse(info, object, file);
    const bool isSizeKnown = info.width > 0 && info.height > 0;
    if (isSizeKnown && !isInside(object.box, info, 1.f)) {
        const Box whole = object.box;
        object.box = clipped(whole, info);
        m_problems.push_back({DataProblem::Severity::Warning, info.id,
                              fmt::format("Annotation {} leaves the image of {} x {} pixels ({}); it is clipped.",
                                          object.id, info.width, info.height, sidesOf(whole))});
        if (!hasArea(object.box))
            return refuse(info, object, file);
    }
    for (const ObjectAnnotation& other : info.objects)
        if (other.label == object.label && other.box == object.box && other.isCrowd == object.isCrowd)
            m_problems.push_back({DataProblem::Severity::Warning, info.id,
                                  fmt::format("Annotation {} repeats annotation {}: same class, same box ({}).",
                                              object.id, other.id, sidesOf(object.box))});
    if (object.area <= 0)
        object.area = object.box.area();
    info.objects.push_back(std::move(object));
    return {};
}

bool ObjectIntake::keeps(const SampleInfo& info, bool isForTraining) const {
    if (!isForTraining || m_config.onEmpty != "drop")
        return true;
    return std::any_of(info.objects.begin(), info.objects.end(), [](const ObjectAnnotation& o) { return !o.isCrowd; });
}

} // namespace trainyard
