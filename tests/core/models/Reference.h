#pragma once

#include "core/base/Random.h"
#include "tests/support/TestData.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <torch/nn/module.h>

namespace trainyard::testing {

/// Numbers that tests/data/models/make_reference.py draws too, uniform in [-1, 1), a function of the name.
inline torch::Tensor noise(const std::string& name, torch::IntArrayRef sizes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name)
        hash = (hash ^ std::uint8_t(c)) * 0x100000001b3ULL;
    Random random(hash);
    const torch::Tensor values = torch::empty(sizes, torch::kDouble);
    for (std::int64_t i = 0; i < values.numel(); ++i)
        values.data_ptr<double>()[i] = random.uniform() * 2 - 1;
    return values;
}

inline bool endsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The rule of make_reference.py's `fill`, line by line.
inline torch::Tensor referenceValues(const std::string& name, const torch::Tensor& like) {
    torch::Tensor values = noise(name, like.sizes());
    if (like.dim() == 4)
        values = values * std::sqrt(6.0 / (double(like.numel()) / double(like.size(0))));
    else if (like.dim() == 2)
        values = values * 0.3;
    else if (endsWith(name, "running_var"))
        values = 1 + 0.3 * values;
    else if (endsWith(name, "weight"))
        values = 0.5 + 0.2 * values;
    else if (endsWith(name, "cls_logits.bias"))
        values = -2 + 0.5 * values;
    else
        values = 0.1 * values;
    if (name.find(".cls_logits.weight") != std::string::npos || name.find(".bbox_reg.weight") != std::string::npos)
        values = values * 0.1;
    return values;
}

inline void fillLikeReference(torch::nn::Module& module) {
    const torch::NoGradGuard noGradients;
    for (auto& item : module.named_parameters())
        item.value().copy_(referenceValues(item.key(), item.value()));
    for (auto& item : module.named_buffers())
        if (item.value().is_floating_point())
            item.value().copy_(referenceValues(item.key(), item.value()));
}

inline nlohmann::json reference(const std::string& name) {
    std::ifstream file(testData("models/" + name));
    return nlohmann::json::parse(file);
}

/// A nested list of numbers as a tensor of `sizes`.
inline torch::Tensor tensorOf(const nlohmann::json& list, torch::IntArrayRef sizes) {
    std::vector<double> values;
    const std::function<void(const nlohmann::json&)> collect = [&](const nlohmann::json& part) {
        if (!part.is_array())
            return values.push_back(part.get<double>());
        for (const auto& item : part)
            collect(item);
    };
    collect(list);
    return torch::tensor(values, torch::kDouble).reshape(sizes);
}

/// |a - b| by |b|; by 1 where b is smaller than `least`.
inline double relativeError(double a, double b, double least = 1e-6) {
    return std::abs(a - b) / (std::abs(b) < least ? 1.0 : std::abs(b));
}

/// The largest difference of two tensors.
inline double largestDifference(const torch::Tensor& a, const torch::Tensor& b) {
    return (a.detach().to(torch::kDouble) - b.detach().to(torch::kDouble)).abs().max().item<double>();
}

inline bool isEqual(const torch::Tensor& a, const torch::Tensor& b) {
    return a.sizes() == b.sizes() && a.detach().equal(b.detach());
}

/// "NAME [SIZES]" of each, as make_reference.py lists them.
inline std::vector<std::string> namesAndShapes(const torch::OrderedDict<std::string, torch::Tensor>& tensors) {
    std::vector<std::string> lines;
    for (const auto& item : tensors)
        lines.push_back(item.key() + " " + nlohmann::json(item.value().sizes().vec()).dump());
    return lines;
}
inline std::vector<std::string> namesAndShapes(const nlohmann::json& list) {
    std::vector<std::string> lines;
    for (const auto& entry : list)
        lines.push_back(entry[0].get<std::string>() + " " + entry[1].dump());
    return lines;
}

} // namespace trainyard::testing
