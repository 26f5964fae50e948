#include "core/solve/Parameter.h"

#include "core/solve/FreezePatterns.h"

#include <regex>
#include <set>
#include <stdexcept>

namespace trainyard {
namespace {

/// A normalisation by the name of its type: torch::nn::BatchNorm2dImpl, trainyard::GroupNormImpl, LayerNorm.
bool isNormalisation(const torch::nn::Module& module) {
    static const std::regex kPattern("Norm([123]d)?(Impl)?$");
    return std::regex_search(module.name(), kPattern);
}

std::set<std::string> normParameters(const torch::nn::Module& module) {
    std::set<std::string> names;
    const auto collect = [&](const std::string& prefix, const torch::nn::Module& child) {
        if (!isNormalisation(child))
            return;
        for (const auto& item : child.named_parameters(/*recurse=*/false))
            if (item.key() != "bias")
                names.insert(prefix.empty() ? item.key() : prefix + "." + item.key());
    };
    collect("", module);
    for (const auto& item : module.named_modules("", /*include_self=*/false))
        collect(item.key(), *item.value());
    return names;
}

/// "head.bias", and also an LSTM's "rnn.bias_ih_l0".
bool isBias(const std::string& name) {
    const auto dot = name.rfind('.');
    return name.compare(dot == std::string::npos ? 0 : dot + 1, 4, "bias") == 0;
}

} // namespace

std::vector<Parameter> parametersOf(const torch::nn::Module& module, const SolveConfig& config) {
    const auto frozen = FreezePatterns::compile(config.freeze);
    if (!frozen)
        throw std::invalid_argument(frozen.error().sentence());
    const auto multiplied = FreezePatterns::compile({config.biasPattern}, "solve.bias_pattern");
    if (!multiplied)
        throw std::invalid_argument(multiplied.error().sentence());
    const auto norms = normParameters(module);
    std::vector<Parameter> parameters;
    for (const auto& item : module.named_parameters()) {
        Parameter parameter{item.key(), item.value()};
        if (norms.count(parameter.name) > 0)
            parameter.role = Parameter::Role::Norm;
        else if (isBias(parameter.name))
            parameter.role = Parameter::Role::Bias;
        parameter.isFrozen = !parameter.value.requires_grad() || frozen->matches(parameter.name);
        parameter.isMultiplied = multiplied->matches(parameter.name);
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

double decayOf(const Parameter& parameter, const SolveConfig& config) {
    switch (parameter.role) {
    case Parameter::Role::Norm:
        return config.normWeightDecay;
    case Parameter::Role::Bias:
        return config.biasWeightDecay;
    case Parameter::Role::Weight:
        break;
    }
    return config.weightDecay;
}

} // namespace trainyard
