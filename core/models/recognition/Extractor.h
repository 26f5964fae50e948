#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct AsterConfig;

/// The convolutions that turn a word into sequences.
class Extractor : public torch::nn::Module {
public:
    /// One map or several of images [N, C, H, W]: each [N, `outputs()`, 1, T].
    virtual std::vector<torch::Tensor> forward(const torch::Tensor& images) = 0;
    virtual std::int64_t outputs() const = 0;
    virtual std::int64_t maps() const = 0;
};

/// What `config.extractor` names, with its values unset. Throws on any other name.
std::shared_ptr<Extractor> makeExtractor(const AsterConfig& config, const std::string& norm);

} // namespace trainyard
