#include "core/telemetry/RunLength.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::runlength {
namespace {

using Counts = std::vector<std::uint32_t>;
using nlohmann::json;

bool areNumbers(const json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const json& one) { return one.is_number(); });
}

tl::expected<Counts, std::string> countsOf(const json& counts) {
    if (counts.is_string()) {
        if (auto read = fromText(counts.get_ref<const std::string&>()))
            return *std::move(read);
        return tl::unexpected<std::string>("its compressed mask is damaged");
    }
    if (!areNumbers(counts))
        return tl::unexpected<std::string>("the counts of its mask are neither numbers nor a compressed text");
    Counts result;
    for (const json& count : counts) {
        const double run = count.get<double>();
        if (!(run >= 0 && run <= UINT32_MAX && run == double(std::uint32_t(run))))
            return tl::unexpected<std::string>("a run of its mask has an impossible length");
        result.push_back(std::uint32_t(run));
    }
    return result;
}

} // namespace

std::optional<Counts> fromText(std::string_view text) {
    Counts counts;
    for (std::size_t at = 0; at < text.size();) {
        std::int64_t value = 0;
        bool goesOn = true;
        for (int shift = 0; goesOn; shift += 5) { // five bits a character, a sixth says that more follow
            if (at >= text.size() || shift > 30)
                return {};
            const int digit = text[at++] - 48;
            if (digit < 0 || digit > 63)
                return {};
            value |= std::int64_t(digit & 0x1F) << shift;
            goesOn = digit & 0x20;
            if (!goesOn && (digit & 0x10))
                value |= -(std::int64_t(1) << (shift + 5));
        }
        if (counts.size() > 2) // from the fourth on, the difference to the run two before
            value += counts[counts.size() - 2];
        if (value < 0 || value > UINT32_MAX)
            return {};
        counts.push_back(std::uint32_t(value));
    }
    return counts;
}

std::string toText(const Counts& counts) {
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::int64_t value = std::int64_t(counts[i]) - (i > 2 ? std::int64_t(counts[i - 2]) : 0);
        for (bool goesOn = true; goesOn;) {
            int digit = int(value & 0x1F);
            value >>= 5;
            goesOn = digit & 0x10 ? value != -1 : value != 0;
            text += char(48 + (goesOn ? digit | 0x20 : digit));
        }
    }
    return text;
}

tl::expected<RunLengthMask, std::string> fromJson(const json& object) {
    if (!object.is_object() || !object.contains("size") || !object.contains("counts"))
        return tl::unexpected<std::string>("its mask needs a size and counts");
    const json& size = object["size"];
    const auto isSide = [](const json& side) { return side.get<double>() >= 1 && side.get<double>() <= 65535; };
    if (!areNumbers(size) || size.size() != 2 || !isSide(size[0]) || !isSide(size[1]))
        return tl::unexpected<std::string>("the size of its mask must be [height, width], each from 1 to 65535");
    auto counts = countsOf(object["counts"]);
    if (!counts)
        return tl::unexpected(counts.error());
    RunLengthMask mask{int(size[1].get<double>()), int(size[0].get<double>()), std::move(*counts)};
    if (!isWhole(mask))
        return tl::unexpected<std::string>("the runs of its mask do not fill its size");
    return mask;
}

json toJson(const RunLengthMask& mask) {
    return {{"size", {mask.height, mask.width}}, {"counts", toText(mask.counts)}};
}

bool isWhole(const RunLengthMask& mask) {
    std::int64_t sum = 0;
    for (const auto count : mask.counts)
        sum += count;
    return mask.width >= 0 && mask.height >= 0 && sum == std::int64_t(mask.width) * mask.height;
}

std::int64_t area(const RunLengthMask& mask) {
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < mask.counts.size(); i += 2)
        sum += mask.counts[i];
    return sum;
}

Box bounds(const RunLengthMask& mask) {
    std::int64_t at = 0, left = mask.width, right = -1, top = mask.height, bottom = -1;
    for (std::size_t i = 0; i < mask.counts.size(); at += mask.counts[i], ++i) {
        if (i % 2 == 0 || mask.counts[i] == 0 || mask.height <= 0)
            continue;
        const std::int64_t last = at + mask.counts[i] - 1;
        const bool isOneColumn = at / mask.height == last / mask.height;
        left = std::min(left, at / mask.height);
        right = std::max(right, last / mask.height);
        top = isOneColumn ? std::min(top, at % mask.height) : 0;
        bottom = isOneColumn ? std::max(bottom, last % mask.height) : mask.height - 1;
    }
    if (right < 0)
        return {};
    return {float(left), float(top), float(right + 1), float(bottom + 1)};
}

std::vector<std::uint8_t> pixels(const RunLengthMask& mask) {
    const std::size_t width = std::size_t(mask.width), height = std::size_t(mask.height);
    std::vector<std::uint8_t> result(width * height, 0);
    std::size_t at = 0;
    for (std::size_t i = 0; i < mask.counts.size(); ++i)
        for (std::uint32_t n = 0; n < mask.counts[i] && at < result.size(); ++n, ++at)
            if (i % 2 == 1)
                result[at % height * width + at / height] = 255;
    return result;
}

RunLengthMask fromPixels(const std::uint8_t* pixels, int width, int height) {
    RunLengthMask mask{width, height, {}};
    bool isSet = false;
    std::uint32_t run = 0;
    for (int x = 0; x < width; ++x)
        for (int y = 0; y < height; ++y) {
            const bool here = pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)] != 0;
            if (here != isSet) {
                mask.counts.push_back(run);
                run = 0;
                isSet = here;
            }
            ++run;
        }
    mask.counts.push_back(run);
    return mask;
}

} // namespace trainyard::runlength
