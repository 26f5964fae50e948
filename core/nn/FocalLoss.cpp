#include "core/nn/FocalLoss.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard {
namespace {

constexpr std::int64_t kRowsAChunk = 2048; // fixed, so that sums do not depend on the number of threads

/// x^gamma and its derivative by the way, quick where gamma is 2 (the paper's and nearly everyone's).
template <class Real>
Real power(Real base, Real gamma) {
    return gamma == Real(2) ? base * base : std::pow(base, gamma);
}

/// Loss and derivative for one logit. `tail` is exp(-|x|), `logTail` log(1 + tail): both stay exact for any x.
/// With s = x for a right class and -x for a wrong one, q = sigmoid(-s) is how wrong the sigmoid is:
/// loss = a q^g softplus(-s), d loss / d s = -a q^g (q + g (1 - q) softplus(-s)).
template <class Real>
struct Term {
    Real loss, slope;

    Term(Real x, Real tail, Real logTail, bool isRight, Real alpha, Real gamma) {
        const Real s = isRight ? x : -x;
        const Real wrong = (s >= 0 ? tail : Real(1)) / (1 + tail);
        const Real right = (s >= 0 ? Real(1) : tail) / (1 + tail);
        const Real cross = std::max(-s, Real(0)) + logTail;
        const Real scale = (isRight ? alpha : 1 - alpha) * power(wrong, gamma);
        loss = scale * cross;
        const Real bySign = -scale * (wrong + gamma * right * cross);
        slope = isRight ? bySign : -bySign;
    }
};

template <class Real>
struct Rows {
    const Real *logits, *tails, *logTails, *weights;
    const std::int64_t* labels;
    Real* slopes;
    std::int64_t classes;
    Real alpha, gamma;

    /// Sum over rows [begin, end); fills their slopes.
    double sum(std::int64_t begin, std::int64_t end) const {
        double total = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            Real* slope = slopes + row * classes;
            if (labels[row] == kIgnored) {
                std::fill(slope, slope + classes, Real(0));
                continue;
            }
            total += double(weights[row]) * rowSum(row, slope);
        }
        return total;
    }

private:
    Real rowSum(std::int64_t row, Real* slope) const {
        const std::int64_t first = row * classes;
        Real sum = 0;
        for (std::int64_t c = 0; c < classes; ++c) { // all wrong; the right one is mended below
            const Term<Real> term(logits[first + c], tails[first + c], logTails[first + c], false, alpha, gamma);
            sum += term.loss;
            slope[c] = weights[row] * term.slope;
        }
        const std::int64_t c = labels[row];
        if (c < 0)
            return sum;
        const Term<Real> wrong(logits[first + c], tails[first + c], logTails[first + c], false, alpha, gamma);
        const Term<Real> right(logits[first + c], tails[first + c], logTails[first + c], true, alpha, gamma);
        slope[c] = weights[row] * right.slope;
        return sum - wrong.loss + right.loss;
    }
};

template <class Real>
double sumInChunks(const Rows<Real>& rows, std::int64_t count) {
    const std::int64_t chunks = (count + kRowsAChunk - 1) / kRowsAChunk;
    std::vector<double> sums(std::size_t(chunks), 0.0);
    at::parallel_for(0, chunks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t chunk = begin; chunk < end; ++chunk)
            sums[std::size_t(chunk)] = rows.sum(chunk * kRowsAChunk, std::min(count, (chunk + 1) * kRowsAChunk));
    });
    double total = 0;
    for (const double sum : sums)
        total += sum;
    return total;
}

class FusedFocalLoss : public torch::autograd::Function<FusedFocalLoss> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& logits,
                              const at::Tensor& labels, const at::Tensor& weights, double alpha, double gamma) {
        const at::Tensor x = logits.contiguous(), tails = at::exp(-x.abs()), logTails = at::log1p(tails);
        const at::Tensor label = labels.contiguous(), weight = weights.contiguous(), slopes = at::empty_like(x);
        double total = 0;
        AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "sigmoidFocalLoss", [&] {
            const Rows<scalar_t> rows{x.data_ptr<scalar_t>(),
                                      tails.data_ptr<scalar_t>(),
                                      logTails.data_ptr<scalar_t>(),
                                      weight.data_ptr<scalar_t>(),
                                      label.data_ptr<std::int64_t>(),
                                      slopes.data_ptr<scalar_t>(),
                                      x.size(1),
                                      scalar_t(alpha),
                                      scalar_t(gamma)};
            total = sumInChunks(rows, x.size(0));
        });
        context->save_for_backward({slopes});
        return at::scalar_tensor(total, logits.options());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const at::Tensor none;
        return {context->get_saved_variables()[0] * gradients[0], none, none, none, none};
    }
};

/// The same from single operators, for devices other than the CPU.
at::Tensor composedFocalLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& weights,
                             double alpha, double gamma) {
    const at::Tensor classes = at::arange(logits.size(1), labels.options());
    const at::Tensor isRight = labels.unsqueeze(1) == classes;
    const at::Tensor s = at::where(isRight, logits, -logits);
    const at::Tensor scale = at::where(isRight, alpha, 1 - alpha).to(logits.scalar_type());
    const at::Tensor loss = scale * at::sigmoid(-s).pow(gamma) * at::softplus(-s);
    const at::Tensor counted = at::where(labels == kIgnored, at::zeros_like(weights), weights);
    return (loss.sum(1) * counted).sum();
}

} // namespace

at::Tensor sigmoidFocalLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& weights, double alpha,
                            double gamma) {
    TORCH_CHECK(logits.dim() == 2, "sigmoidFocalLoss: logits must be [R, K], not ", logits.sizes());
    TORCH_CHECK(labels.dim() == 1 && labels.size(0) == logits.size(0) && weights.sizes() == labels.sizes(),
                "sigmoidFocalLoss: labels and weights must be [R]");
    if (logits.device().is_cpu())
        return FusedFocalLoss::apply(logits, labels, weights, alpha, gamma);
    return composedFocalLoss(logits, labels, weights, alpha, gamma);
}

} // namespace trainyard
