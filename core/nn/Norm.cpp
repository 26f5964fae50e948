#include "core/nn/Norm.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

class BatchNorm final : public Norm {
public:
    BatchNorm(std::int64_t channels, const NormOptions& options) : m_options(options) {
        if (options.hasScale)
            m_weight = register_parameter("weight", torch::ones({channels}));
        m_bias = register_parameter("bias", torch::zeros({channels}));
        m_mean = register_buffer("running_mean", torch::zeros({channels}));
        m_variance = register_buffer("running_var", torch::ones({channels}));
        m_batches = register_buffer("num_batches_tracked", torch::zeros({}, torch::kLong));
    }
    torch::Tensor forward(const torch::Tensor& images) override {
        if (is_training())
            m_batches.add_(1);
        return at::batch_norm(images, m_weight, m_bias, m_mean, m_variance, is_training(), m_options.momentum,
                              m_options.epsilon, false);
    }

private:
    NormOptions m_options;
    torch::Tensor m_weight, m_bias, m_mean, m_variance, m_batches;
};

class GroupNorm final : public Norm {
public:
    GroupNorm(std::int64_t channels, const NormOptions& options)
        : m_groups(groupsFor(channels)), m_epsilon(options.epsilon) {
        if (options.hasScale)
            m_weight = register_parameter("weight", torch::ones({channels}));
        m_bias = register_parameter("bias", torch::zeros({channels}));
    }
    torch::Tensor forward(const torch::Tensor& images) override {
        const torch::Tensor scale = m_weight.defined() ? m_weight : torch::ones_like(m_bias); // it wants one
        // LibTorch 1.13 refuses bfloat16 images with float32 weights.
        return at::group_norm(images.to(m_bias.scalar_type()), m_groups, scale, m_bias, m_epsilon)
            .to(images.scalar_type());
    }

private:
    std::int64_t m_groups;
    double m_epsilon;
    torch::Tensor m_weight, m_bias;
};

class FrozenBatchNorm final : public Norm {
public:
    FrozenBatchNorm(std::int64_t channels, const NormOptions& options) : m_epsilon(options.epsilon) {
        m_weight = register_buffer("weight", torch::ones({channels}));
        m_bias = register_buffer("bias", torch::zeros({channels}));
        m_mean = register_buffer("running_mean", torch::zeros({channels}));
        m_variance = register_buffer("running_var", torch::ones({channels}));
    }
    torch::Tensor forward(const torch::Tensor& images) override {
        const torch::Tensor scale = m_weight * (m_variance + m_epsilon).rsqrt();
        const torch::Tensor offset = m_bias - m_mean * scale;
        const auto type = images.scalar_type();
        return images * scale.view({1, -1, 1, 1}).to(type) + offset.view({1, -1, 1, 1}).to(type);
    }

private:
    double m_epsilon;
    torch::Tensor m_weight, m_bias, m_mean, m_variance;
};

class Affine final : public Norm {
public:
    explicit Affine(std::int64_t channels) {
        m_weight = register_buffer("weight", torch::ones({channels}));
        m_bias = register_buffer("bias", torch::zeros({channels}));
    }
    torch::Tensor forward(const torch::Tensor& images) override {
        const auto type = images.scalar_type();
        return images * m_weight.view({1, -1, 1, 1}).to(type) + m_bias.view({1, -1, 1, 1}).to(type);
    }

private:
    torch::Tensor m_weight, m_bias;
};

class NoNorm final : public Norm {
public:
    torch::Tensor forward(const torch::Tensor& images) override { return images; }
};

} // namespace

std::int64_t groupsFor(std::int64_t channels) {
    std::int64_t groups = 32;
    while (channels % groups != 0)
        --groups;
    return groups;
}

std::shared_ptr<Norm> makeNorm(std::string_view kind, std::int64_t channels, const NormOptions& options) {
    if (kind == "batch")
        return std::make_shared<BatchNorm>(channels, options);
    if (kind == "group")
        return std::make_shared<GroupNorm>(channels, options);
    if (kind == "frozen")
        return std::make_shared<FrozenBatchNorm>(channels, options);
    if (kind == "affine")
        return std::make_shared<Affine>(channels);
    TORCH_CHECK(kind == "none", "There is no normalisation called ", std::string(kind), ".");
    return std::make_shared<NoNorm>();
}

} // namespace trainyard
