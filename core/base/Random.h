#pragma once

#include <cstdint>

namespace trainyard {

/// Mixes its arguments into one well-spread 64-bit seed: randomness is a function of (seed, epoch, sample index),
/// never of thread timing. Same numbers on every platform.
std::uint64_t deriveSeed(std::uint64_t seed, std::uint64_t first, std::uint64_t second = 0, std::uint64_t third = 0);

/// A small random stream whose values are the same on every platform and library version (the standard library's
/// distributions are not). Copies continue independently. One thread at a time.
/// Source: Vigna 2015, "SplitMix64"; Box and Muller 1958 for the normal variate.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next();                                      ///< 64 uniform bits
    double uniform();                                          ///< in [0, 1)
    double uniform(double low, double high);                   ///< in [low, high)
    std::int64_t integer(std::int64_t low, std::int64_t high); ///< in [low, high], both included
    bool chance(double probability) { return uniform() < probability; }
    double normal(); ///< mean 0, standard deviation 1

private:
    std::uint64_t m_state;
};

} // namespace trainyard
