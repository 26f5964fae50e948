#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trainyard::bench {

/// One way of doing a piece of work. `run` does it once; what it computes must not be optimised away. `note` is asked
/// after all repetitions, with their median, for what else there is to say ("410 images/s"); it may be empty.
struct Variant {
    std::string name;
    std::function<void()> run;
    std::function<std::string(double medianSeconds)> note = nullptr;
};

/// Ways of doing the same work, timed in turn within every repetition, so that a machine whose speed drifts slows all
/// of them alike. The first is what the others are compared with.
struct Comparison {
    std::string name;
    std::vector<Variant> variants;
    int repetitions = 15;
};

/// Whether two ways of computing something agree; returns nothing, or a sentence that says how they differ.
using Check = std::function<std::string()>;

/// A file adds its benchmarks with one line at its end, before main starts:
///     static const Register kStatistics("statistics", compare, check);
/// `compare` makes its worlds when called, so that unasked benchmarks cost nothing. Either may be null.
class Register {
public:
    Register(std::string name, std::function<std::vector<Comparison>()> compare, Check check);
};

} // namespace trainyard::bench
