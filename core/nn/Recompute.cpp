#include "core/nn/Recompute.h"

#include "core/nn/Autocast.h"

#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace trainyard {
namespace {

thread_local bool t_isOn = false;

struct Segment final : torch::CustomClassHolder {
    std::shared_ptr<torch::nn::Module> block;
    std::function<torch::Tensor(const torch::Tensor&)> run;
    bool isAutocast = false;
};

/// A block's buffers as they were, put back at the end of the scope: running statistics have moved already.
class BuffersKept {
public:
    explicit BuffersKept(const torch::nn::Module& block) : m_buffers(block.buffers()) {
        for (const torch::Tensor& buffer : m_buffers)
            m_values.push_back(buffer.clone());
    }
    ~BuffersKept() {
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < m_buffers.size(); ++i)
            m_buffers[i].copy_(m_values[i]);
    }
    BuffersKept(const BuffersKept&) = delete;
    BuffersKept& operator=(const BuffersKept&) = delete;

private:
    std::vector<torch::Tensor> m_buffers, m_values;
};

struct Recomputed final : torch::autograd::Function<Recomputed> {
    static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& input,
                                 const c10::intrusive_ptr<Segment>& segment) {
        segment->isAutocast = compat::isCpuAutocastOn();
        context->save_for_backward({input});
        context->saved_data["segment"] = c10::IValue::make_capsule(segment);
        const torch::NoGradGuard noGradients;
        return segment->run(input);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto segment = c10::static_intrusive_pointer_cast<Segment>(context->saved_data["segment"].toCapsule());
        const torch::Tensor input = context->get_saved_variables()[0].detach().requires_grad_(true);
        const BuffersKept buffers(*segment->block);
        torch::Tensor output;
        {
            const torch::AutoGradMode withGradients(true);
            const Autocast autocast(segment->isAutocast);
            output = segment->run(input);
        }
        torch::autograd::backward({output}, {gradients[0]}); // the block's parameters take their gradients here
        return {input.grad(), torch::Tensor()};
    }
};

} // namespace

RecomputeScope::RecomputeScope(bool isOn) : m_wasOn(std::exchange(t_isOn, isOn)) {}

RecomputeScope::~RecomputeScope() {
    t_isOn = m_wasOn;
}

bool isRecomputing() {
    return t_isOn;
}

torch::Tensor recomputed(std::shared_ptr<torch::nn::Module> block,
                         std::function<torch::Tensor(const torch::Tensor&)> run, const torch::Tensor& input) {
    auto segment = c10::make_intrusive<Segment>();
    segment->block = std::move(block);
    segment->run = std::move(run);
    return Recomputed::apply(input, segment);
}

} // namespace trainyard
