#include "app/cli/Format.h"

#include "core/evaluate/Metrics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

namespace trainyard::cli {

std::string readable(double value) {
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    const double size = std::fabs(value);
    if (size != 0 && (size < 1e-3 || size >= 1e6))
        return fmt::format("{:.2e}", value);
    if (size >= 1000)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4);
}

std::string metricText(double metric) {
    return isMeasured(metric) ? readable(metric) : "n/a";
}

std::string measure(double value) {
    return std::abs(value) < 1000 ? fmt::format("{:.4g}", value) : grouped(std::llround(value));
}

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value < 0 ? -value : value);
    for (std::ptrdiff_t at = std::ptrdiff_t(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(std::size_t(at), 1, ' ');
    return (value < 0 ? "-" : "") + digits;
}

std::string duration(double seconds) {
    const auto whole = std::int64_t(std::llround(std::max(0.0, seconds)));
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    if (whole < 48 * 3600)
        return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
    return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

std::string byteSize(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
    double size = double(bytes);
    std::size_t unit = 0;
    while (size >= 999.5 && unit + 1 < kUnits.size()) {
        size /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.{}f} {}", size, size < 9.95 ? 1 : 0, kUnits[unit]);
}

std::string localTime(std::int64_t wallMicroseconds) {
    const std::time_t seconds = wallMicroseconds / 1000000;
    std::tm parts{};
    localtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
    return text.data();
}

std::size_t shownWidth(const std::string& text) {
    std::size_t count = 0;
    for (const char byte : text)
        count += (static_cast<unsigned char>(byte) & 0xC0) != 0x80; // continuation bytes show nothing of their own
    return count;
}

} // namespace trainyard::cli
