#include "core/config/Expectation.h"

#include "core/base/Text.h"

#include <charconv>
#include <cmath>
#include <string>

namespace trainyard {
namespace {

std::optional<double> readNumber(std::string_view text) {
    text = text::trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

} // namespace

std::optional<Expectation> readExpectation(std::string_view text) {
    for (const std::string_view sign : {"±", "+-"}) {
        const auto place = text.find(sign);
        if (place == std::string_view::npos)
            continue;
        const auto value = readNumber(text.substr(0, place)), deviation = readNumber(text.substr(place + sign.size()));
        if (!value || !deviation || *deviation < 0)
            return {};
        return Expectation{*value, deviation};
    }
    const auto value = readNumber(text);
    return value ? std::optional(Expectation{*value, {}}) : std::nullopt;
}

} // namespace trainyard
