#include "core/evaluate/CocoJson.h"

#include "core/base/Json.h"
#include "core/evaluate/Masks.h"
#include "core/telemetry/RunLength.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace trainyard::cocojson {
namespace {

using nlohmann::json;

/// The value under `key`; null where there is none or nothing in it.
const json* find(const json& object, const char* key) {
    if (!object.is_object())
        throw Objection{"an object is needed, not " + described(object)};
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

double numberIn(const json& value, const char* key) {
    if (!value.is_number())
        throw Objection{fmt::format("its {} must be a number, not {}", key, described(value))};
    return value.get<double>();
}

std::vector<double> numbersIn(const json& array, const char* key) {
    if (!array.is_array())
        throw Objection{fmt::format("its {} must be a list of numbers, not {}", key, described(array))};
    std::vector<double> numbers;
    for (const json& value : array) {
        if (!value.is_number())
            throw Objection{fmt::format("its {} must be numbers, not {}", key, described(value))};
        numbers.push_back(value.get<double>());
    }
    return numbers;
}

} // namespace

const json& member(const json& object, const char* key) {
    if (const json* found = find(object, key))
        return *found;
    throw Objection{fmt::format("it has no {}", key)};
}

const json& listOf(const json& object, const char* key) {
    const json& list = member(object, key);
    if (!list.is_array())
        throw Objection{fmt::format("its {} must be a list, not {}", key, described(list))};
    return list;
}

double number(const json& object, const char* key) {
    return numberIn(member(object, key), key);
}

double number(const json& object, const char* key, double fallback) {
    const json* found = find(object, key);
    return found ? numberIn(*found, key) : fallback;
}

bool flag(const json& object, const char* key) {
    const json* found = find(object, key);
    return found && (found->is_boolean() ? found->get<bool>() : numberIn(*found, key) != 0);
}

std::string idOf(const json& object, const char* key) {
    const json& id = member(object, key);
    const std::string text = idText(id);
    if (!id.is_string() && (!id.is_number() || text.find_first_not_of("-0123456789") != std::string::npos))
        throw Objection{fmt::format("its {} must be a whole number or a text, not {}", key, described(id))};
    return text;
}

CocoBox boxOf(const json& array) {
    const auto numbers = numbersIn(array, "bbox");
    if (numbers.size() != 4)
        throw Objection{"its bbox must be [x, y, width, height]"};
    return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

std::vector<double> keypointsOf(const json& object) {
    const json* found = find(object, "keypoints");
    if (!found)
        return {};
    auto numbers = numbersIn(*found, "keypoints");
    if (numbers.size() % 3 != 0)
        throw Objection{"its keypoints must be triples"};
    return numbers;
}

std::optional<RunLengthMask> maskOf(const json& object, int width, int height) {
    const json* found = find(object, "segmentation");
    if (!found)
        return std::nullopt;
    if (found->is_object()) {
        auto mask = runlength::fromJson(*found);
        if (!mask)
            throw Objection{mask.error()};
        return *std::move(mask);
    }
    if (!found->is_array())
        throw Objection{"its segmentation must be polygons or run lengths, not " + described(*found)};
    std::vector<RunLengthMask> parts;
    for (const json& polygon : *found)
        parts.push_back(masks::fromPolygon(numbersIn(polygon, "segmentation"), width, height));
    return parts.empty() ? std::nullopt : std::optional(masks::unionOf(parts));
}

CocoFinding findingOf(const json& entry, CocoType type, int width, int height) {
    CocoFinding finding;
    finding.score = number(entry, "score");
    const auto box = entry.find("bbox");
    const bool hasBox = box != entry.end() && !box->empty();
    if (hasBox)
        finding.box = boxOf(*box);
    if (type == CocoType::Keypoints) {
        finding.keypoints = keypointsOf(entry);
        finding.box = hasBox ? finding.box : keypointExtent(finding.keypoints);
    }
    if (type == CocoType::Boxes && !hasBox && !find(entry, "segmentation") && find(entry, "keypoints"))
        finding.box = keypointExtent(keypointsOf(entry));
    else if (type == CocoType::Masks || (type == CocoType::Boxes && !hasBox)) {
        finding.mask = maskOf(entry, width, height);
        if (!finding.mask)
            throw Objection{type == CocoType::Masks ? "it has no segmentation" : "it has no bbox"};
        const auto bounds = runlength::bounds(*finding.mask);
        if (!hasBox)
            finding.box = {bounds.x1, bounds.y1, bounds.width(), bounds.height()};
    }
    // The COCO API takes the size of a result from its box where it carries one, else from its mask.
    finding.area = hasBox || !finding.mask ? finding.box.area() : double(runlength::area(*finding.mask));
    return finding;
}

double widened(float value) {
    return std::isfinite(value) ? std::strtod(fmt::format("{}", value).c_str(), nullptr) : 0.0;
}

json boxJson(const Box& box) {
    return {widened(box.x1), widened(box.y1), widened(box.width()), widened(box.height())};
}

} // namespace trainyard::cocojson
