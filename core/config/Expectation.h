#pragma once

#include <optional>
#include <string_view>

namespace trainyard {

/// A metric as it should come out: a number, perhaps with the deviation that it had over several trainings.
struct Expectation {
    double value = 0;
    std::optional<double> deviation;
};

/// "0.364", "0.364 ± 0.002" or "0.364 +- 0.002"; nothing for any other text.
std::optional<Expectation> readExpectation(std::string_view text);

} // namespace trainyard
