#include "core/solve/LearningRatePolicy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace trainyard {
namespace {

/// The base rate, always.
class Constant final : public LearningRatePolicy {
public:
    explicit Constant(double base) : m_base(base) {}
    double rateAt(std::int64_t) const override { return m_base; }

private:
    double m_base;
};

/// Multiplied by `gamma` at each of the `steps`.
class Steps final : public LearningRatePolicy {
public:
    Steps(double base, double gamma, std::vector<std::int64_t> steps)
        : m_base(base), m_gamma(gamma), m_steps(std::move(steps)) {}

    double rateAt(std::int64_t iteration) const override {
        const auto passed =
            std::count_if(m_steps.begin(), m_steps.end(), [=](std::int64_t step) { return step <= iteration; });
        return m_base * std::pow(m_gamma, double(passed));
    }

private:
    double m_base;
    double m_gamma;
    std::vector<std::int64_t> m_steps;
};

/// `base` before the first of `steps`, then one of `rates` from each of them on.
class Manual final : public LearningRatePolicy {
public:
    Manual(double base, std::vector<std::int64_t> steps, std::vector<double> rates)
        : m_base(base), m_steps(std::move(steps)), m_rates(std::move(rates)) {}

    double rateAt(std::int64_t iteration) const override {
        const auto passed =
            std::count_if(m_steps.begin(), m_steps.end(), [=](std::int64_t step) { return step <= iteration; });
        return passed == 0 ? m_base : m_rates[std::size_t(passed) - 1];
    }

private:
    double m_base;
    std::vector<std::int64_t> m_steps;
    std::vector<double> m_rates;
};

/// Falls by `gamma` in every `length` iterations, for ever: steadily, or at once at the end of each of them.
class Decay final : public LearningRatePolicy {
public:
    Decay(double base, double gamma, std::int64_t length, bool isStaircase)
        : m_base(base), m_gamma(gamma), m_length(length), m_isStaircase(isStaircase) {}

    double rateAt(std::int64_t iteration) const override {
        const double passed = double(std::max<std::int64_t>(iteration, 0)) / double(m_length);
        return m_base * std::pow(m_gamma, m_isStaircase ? std::floor(passed) : passed);
    }

private:
    double m_base;
    double m_gamma;
    std::int64_t m_length;
    bool m_isStaircase;
};

/// A curve over the share of the run that is done, which stays at its end value after the planned iterations.
class OverTheRun : public LearningRatePolicy {
public:
    explicit OverTheRun(std::int64_t iterations) : m_iterations(iterations) {}

    double rateAt(std::int64_t iteration) const final {
        if (iteration >= m_iterations)
            return rateAfter(1.0);
        return rateAfter(double(std::max<std::int64_t>(iteration, 0)) / double(m_iterations));
    }

private:
    virtual double rateAfter(double share) const = 0;
    std::int64_t m_iterations;
};

/// Half a cosine from the base rate down to the final one. Source: Loshchilov and Hutter 2017, "SGDR", without
/// restarts.
class Cosine final : public OverTheRun {
public:
    Cosine(double base, double last, std::int64_t iterations) : OverTheRun(iterations), m_base(base), m_last(last) {}

private:
    double rateAfter(double share) const override {
        return m_last + (m_base - m_last) * 0.5 * (1.0 + std::cos(std::numbers::pi * share));
    }
    double m_base;
    double m_last;
};

/// Falls by the same factor in equal times, by `gamma` over the whole run.
class Exponential final : public OverTheRun {
public:
    Exponential(double base, double gamma, std::int64_t iterations)
        : OverTheRun(iterations), m_base(base), m_gamma(gamma) {}

private:
    double rateAfter(double share) const override { return m_base * std::pow(m_gamma, share); }
    double m_base;
    double m_gamma;
};

/// The remaining share of the run to a power, from the base rate down to the final one.
class Polynomial final : public OverTheRun {
public:
    Polynomial(double base, double last, double power, std::int64_t iterations)
        : OverTheRun(iterations), m_base(base), m_last(last), m_power(power) {}

private:
    double rateAfter(double share) const override {
        return m_last + (m_base - m_last) * std::pow(1.0 - share, m_power);
    }
    double m_base;
    double m_last;
    double m_power;
};

/// The rate of `after` times a factor that for `length` iterations rises in a straight line from `startFactor` to one,
/// or stays at `startFactor`. Source: Goyal et al. 2017, "Accurate, Large Minibatch SGD", section 2.2.
class WarmUp final : public LearningRatePolicy {
public:
    WarmUp(std::unique_ptr<LearningRatePolicy> after, const WarmUpConfig& config)
        : m_after(std::move(after)), m_length(config.iterations), m_startFactor(config.startFactor),
          m_isConstant(config.method == "constant") {}

    double rateAt(std::int64_t iteration) const override {
        return m_after->rateAt(iteration) * factorAt(std::max<std::int64_t>(iteration, 0));
    }

private:
    double factorAt(std::int64_t iteration) const {
        if (iteration >= m_length)
            return 1.0;
        if (m_isConstant)
            return m_startFactor;
        const double share = double(iteration) / double(m_length);
        return m_startFactor * (1.0 - share) + share;
    }

    std::unique_ptr<LearningRatePolicy> m_after;
    std::int64_t m_length;
    double m_startFactor;
    bool m_isConstant;
};

std::unique_ptr<LearningRatePolicy> makeBarePolicy(const SolveConfig& config) {
    const double base = config.baseLr;
    const double last = base * config.finalFactor;
    if (config.policy == "steps")
        return std::make_unique<Steps>(base, config.gamma, config.steps);
    if (config.policy == "cosine")
        return std::make_unique<Cosine>(base, last, config.iterations);
    if (config.policy == "manual")
        return std::make_unique<Manual>(base, config.steps, config.rates);
    if (config.policy == "exponential" && config.decayIterations > 0)
        return std::make_unique<Decay>(base, config.gamma, config.decayIterations, config.staircase);
    if (config.policy == "exponential")
        return std::make_unique<Exponential>(base, config.gamma, config.iterations);
    if (config.policy == "polynomial")
        return std::make_unique<Polynomial>(base, last, config.power, config.iterations);
    return std::make_unique<Constant>(base);
}

} // namespace

std::unique_ptr<LearningRatePolicy> makePolicy(const SolveConfig& config) {
    auto policy = makeBarePolicy(config);
    if (config.warmUp.iterations <= 0)
        return policy;
    return std::make_unique<WarmUp>(std::move(policy), config.warmUp);
}

double rateRatio(double one, double other) {
    constexpr double kNothing = 1e-10;
    return std::max(other / std::max(one, kNothing), one / std::max(other, kNothing));
}

} // namespace trainyard
