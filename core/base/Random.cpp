#include "core/base/Random.h"

#include <cmath>
#include <numbers>

namespace trainyard {
namespace {

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

} // namespace

std::uint64_t deriveSeed(std::uint64_t seed, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    std::uint64_t state = mix(seed + kGolden);
    state = mix(state ^ (first + kGolden));
    state = mix(state ^ (second + 2 * kGolden));
    return mix(state ^ (third + 3 * kGolden));
}

std::uint64_t Random::next() {
    m_state += kGolden;
    return mix(m_state);
}

double Random::uniform() { return double(next() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
    const auto range = std::uint64_t(high - low) + 1;
    return low + std::int64_t((static_cast<unsigned __int128>(next()) * range) >> 64);
}

double Random::normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

} // namespace trainyard
