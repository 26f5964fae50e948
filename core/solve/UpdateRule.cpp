#include "core/solve/UpdateRule.h"

#include "core/solve/UpdateKernels.h"

#include <ATen/ATen.h>

#include <cmath>

namespace trainyard {
namespace {

/// Source: Sutskever et al. 2013, in the form of torch.optim.SGD: the rate lies outside the velocity.
class Sgd final : public UpdateRule {
public:
    explicit Sgd(const SolveConfig& config) : m_momentum(config.momentum), m_isNesterov(config.nesterov) {}

    std::vector<std::string> stateNames() const override {
        return m_momentum == 0 ? std::vector<std::string>{} : std::vector<std::string>{"momentum"};
    }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        return updateBySgd(span.weight, span.gradient, span.state[0], span.count,
                           {float(terms.rate), float(m_momentum), float(terms.decay), m_isNesterov});
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        if (state.empty())
            return gradient * terms.rate;
        state[0].mul_(m_momentum).add_(gradient);
        return (m_isNesterov ? gradient + state[0] * m_momentum : state[0]) * terms.rate;
    }

private:
    double m_momentum;
    bool m_isNesterov;
};

/// The rate is in the velocity: a step once decided keeps the rate it was decided with. Source: Caffe2's momentum SGD,
/// as Goyal et al. 2017, "Accurate, Large Minibatch SGD", remark 2 describes it.
class SgdOfSteps final : public UpdateRule {
public:
    explicit SgdOfSteps(const SolveConfig& config) : m_momentum(config.momentum) {}

    std::vector<std::string> stateNames() const override { return {"momentum"}; }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        return updateBySgdOfSteps(span.weight, span.gradient, span.state[0], span.count,
                                  {float(terms.rate), float(m_momentum), float(terms.decay), false});
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        return state[0].mul_(m_momentum).add_(gradient, terms.rate);
    }

private:
    double m_momentum;
};

/// Source: Tieleman and Hinton 2012, in TensorFlow 1's form: the mean square begins with one, epsilon stands under the
/// root, and the rate is in the velocity.
class RmsProp final : public UpdateRule {
public:
    explicit RmsProp(const SolveConfig& config)
        : m_rho(config.rho), m_momentum(config.momentum), m_epsilon(config.epsilon) {}

    std::vector<std::string> stateNames() const override { return {"square", "momentum"}; }
    double firstValue(std::size_t index) const override { return index == 0 ? 1.0 : 0.0; }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        const RmsPropTerms rms{float(terms.rate), float(m_rho),     float(1 - m_rho),
                               float(m_momentum), float(m_epsilon), float(terms.decay)};
        return updateByRmsProp(span.weight, span.gradient, span.state[0], span.state[1], span.count, rms);
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        state[0].mul_(m_rho).addcmul_(gradient, gradient, 1 - m_rho);
        return state[1].mul_(m_momentum).add_(gradient / (state[0] + m_epsilon).sqrt(), terms.rate);
    }

private:
    double m_rho;
    double m_momentum;
    double m_epsilon;
};

/// Source: Dozat 2016, "Incorporating Nesterov Momentum into Adam", in TensorFlow 1's form: no schedule of momenta, and
/// epsilon beside the uncorrected root.
class Nadam final : public UpdateRule {
public:
    explicit Nadam(const SolveConfig& config)
        : m_beta1(config.beta1), m_beta2(config.beta2), m_epsilon(config.epsilon) {}

    std::vector<std::string> stateNames() const override { return {"momentum", "square"}; }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        const NadamTerms nadam{float(stepSize(terms)), float(m_beta1),   float(1 - m_beta1), float(m_beta2),
                               float(1 - m_beta2),     float(m_epsilon), float(terms.decay)};
        return updateByNadam(span.weight, span.gradient, span.state[0], span.state[1], span.count, nadam);
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        state[0].mul_(m_beta1).add_(gradient, 1 - m_beta1);
        state[1].mul_(m_beta2).addcmul_(gradient, gradient, 1 - m_beta2);
        const auto ahead = state[0] * m_beta1 + gradient * (1 - m_beta1);
        return ahead / (state[1].sqrt() + m_epsilon) * stepSize(terms);
    }

private:
    double stepSize(const Terms& terms) const {
        const double step = double(terms.step);
        return terms.rate * std::sqrt(1 - std::pow(m_beta2, step)) / (1 - std::pow(m_beta1, step));
    }

    double m_beta1;
    double m_beta2;
    double m_epsilon;
};

/// Source: Kingma and Ba 2015, "Adam"; decay is part of the gradient, as in torch.optim.Adam.
class Adam final : public UpdateRule {
public:
    explicit Adam(const SolveConfig& config)
        : m_beta1(config.beta1), m_beta2(config.beta2), m_epsilon(config.epsilon) {}

    std::vector<std::string> stateNames() const override { return {"momentum", "square"}; }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        const AdamTerms adam{
            float(stepSize(terms)), float(rootCorrection(terms)), float(m_beta1),   float(1 - m_beta1),
            float(m_beta2),         float(1 - m_beta2),           float(m_epsilon), float(terms.decay)};
        return updateByAdam(span.weight, span.gradient, span.state[0], span.state[1], span.count, adam);
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        state[0].mul_(m_beta1).add_(gradient, 1 - m_beta1);
        state[1].mul_(m_beta2).addcmul_(gradient, gradient, 1 - m_beta2);
        return state[0] / (state[1].sqrt() / rootCorrection(terms) + m_epsilon) * stepSize(terms);
    }

private:
    double stepSize(const Terms& terms) const { return terms.rate / (1 - std::pow(m_beta1, double(terms.step))); }
    double rootCorrection(const Terms& terms) const { return std::sqrt(1 - std::pow(m_beta2, double(terms.step))); }

    double m_beta1;
    double m_beta2;
    double m_epsilon;
};

/// Source: Zeiler 2012, "ADADELTA".
class Adadelta final : public UpdateRule {
public:
    explicit Adadelta(const SolveConfig& config) : m_rho(config.rho), m_epsilon(config.epsilon) {}

    std::vector<std::string> stateNames() const override { return {"square", "delta"}; }

    double updateSpan(const UpdateSpan& span, const Terms& terms) const override {
        const AdadeltaTerms adadelta{float(terms.rate), float(m_rho), float(1 - m_rho), float(m_epsilon),
                                     float(terms.decay)};
        return updateByAdadelta(span.weight, span.gradient, span.state[0], span.state[1], span.count, adadelta);
    }

    at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const override {
        state[0].mul_(m_rho).addcmul_(gradient, gradient, 1 - m_rho);
        const auto step = (state[1] + m_epsilon).sqrt() / (state[0] + m_epsilon).sqrt() * gradient;
        state[1].mul_(m_rho).addcmul_(step, step, 1 - m_rho);
        return step * terms.rate;
    }

private:
    double m_rho;
    double m_epsilon;
};

} // namespace

std::unique_ptr<UpdateRule> makeUpdateRule(const SolveConfig& config) {
    if (config.optimizer == "adam")
        return std::make_unique<Adam>(config);
    if (config.optimizer == "adadelta")
        return std::make_unique<Adadelta>(config);
    if (config.optimizer == "rmsprop")
        return std::make_unique<RmsProp>(config);
    if (config.optimizer == "nadam")
        return std::make_unique<Nadam>(config);
    if (config.rateInMomentum && config.momentum > 0)
        return std::make_unique<SgdOfSteps>(config);
    return std::make_unique<Sgd>(config);
}

} // namespace trainyard
