#include "core/config/Expectation.h"

#include "core/base/Text.h"

#include <string>

namespace trainyard {
std::optional<Expectation> readExpectation(std::string_view text) {
    for (const std::string_view sign : {"±", "+-"}) {
        const auto place = text.find(sign);
        if (place == std::string_view::npos)
            continue;
        const auto value = text::number(text.substr(0, place)), deviation = text::number(text.substr(place + sign.size()));
        if (!value || !deviation || *deviation < 0)
            return {};
        return Expectation{*value, deviation};
    }
    const auto value = text::number(text);
    return value ? std::optional(Expectation{*value, {}}) : std::nullopt;
}

} // namespace trainyard
