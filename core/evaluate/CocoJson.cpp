#include "core/evaluate/CocoJson.h"

#include "core/evaluate/Masks.h"

#include <stdexcept>

namespace trainyard::cocojson {
namespace {

using nlohmann::json;

double numberOf(const json& value) {
    if (!value.is_number())
        throw std::invalid_argument("a number is needed where " + value.dump().substr(0, 40) + " stands");
    return value.get<double>();
}

std::vector<double> numbersOf(const json& array) {
    if (!array.is_array())
        throw std::invalid_argument("a list of numbers is needed");
    std::vector<double> numbers;
    for (const auto& value : array)
        numbers.push_back(numberOf(value));
    return numbers;
}

std::vector<std::uint32_t> countsOf(const json& counts) {
    if (counts.is_string()) {
        if (auto read = masks::countsFromText(counts.get_ref<const std::string&>()))
            return *std::move(read);
        throw std::invalid_argument("the compressed mask is damaged");
    }
    std::vector<std::uint32_t> result;
    for (const double count : numbersOf(counts)) {
        if (!(count >= 0 && count <= UINT32_MAX))
            throw std::invalid_argument("a run of the mask has an impossible length");
        result.push_back(static_cast<std::uint32_t>(count));
    }
    return result;
}

RunLengthMask runLengths(const json& object) {
    const auto size = numbersOf(object.at("size"));
    if (size.size() != 2 || !(size[0] >= 0 && size[0] <= 65535 && size[1] >= 0 && size[1] <= 65535))
        throw std::invalid_argument("the mask's size must be [height, width], up to 65535");
    RunLengthMask mask{int(size[1]), int(size[0]), countsOf(object.at("counts"))};
    if (!masks::isWhole(mask))
        throw std::invalid_argument("the mask's runs do not fill its size");
    return mask;
}

} // namespace

std::string idOf(const json& object, const char* key) {
    const auto& id = object.at(key);
    if (id.is_string())
        return id.get<std::string>();
    if (id.is_number_integer())
        return std::to_string(id.get<std::int64_t>());
    throw std::invalid_argument(std::string(key) + " must be a whole number");
}

CocoBox boxOf(const json& array) {
    const auto numbers = numbersOf(array);
    if (numbers.size() != 4)
        throw std::invalid_argument("bbox must be [x, y, width, height]");
    return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

std::vector<double> keypointsOf(const json& object) {
    const auto found = object.find("keypoints");
    if (found == object.end())
        return {};
    auto numbers = numbersOf(*found);
    if (numbers.size() % 3 != 0)
        throw std::invalid_argument("keypoints must be triples");
    return numbers;
}

std::optional<RunLengthMask> maskOf(const json& object, int width, int height) {
    const auto found = object.find("segmentation");
    if (found == object.end())
        return std::nullopt;
    if (found->is_object())
        return runLengths(*found);
    std::vector<RunLengthMask> parts;
    for (const auto& polygon : *found)
        parts.push_back(masks::fromPolygon(numbersOf(polygon), width, height));
    return parts.empty() ? std::nullopt : std::optional(masks::unionOf(parts));
}

} // namespace trainyard::cocojson
