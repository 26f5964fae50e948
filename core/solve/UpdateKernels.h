#pragma once

#include <cstdint>

namespace trainyard {

/// The update rules as loops over plain memory: weights and state are read and written once, gradients read once. Each
/// returns the sum of the squares of what was subtracted from the weights.

struct SgdTerms {
    float rate, momentum, decay;
    bool isNesterov;
};
/// `velocity` may be null when there is no momentum.
double updateBySgd(float* weight, const float* gradient, float* velocity, std::int64_t count, const SgdTerms& terms);

/// The velocity holds steps: it takes in the rate, and is what the weights go down by.
double updateBySgdOfSteps(float* weight, const float* gradient, float* velocity, std::int64_t count,
                          const SgdTerms& terms);

struct RmsPropTerms {
    float rate, rho, oneLessRho, momentum, epsilon, decay;
};
double updateByRmsProp(float* weight, const float* gradient, float* square, float* velocity, std::int64_t count,
                       const RmsPropTerms& terms);

struct NadamTerms {
    float stepSize; ///< rate with both bias corrections
    float beta1, oneLessBeta1, beta2, oneLessBeta2, epsilon, decay;
};
double updateByNadam(float* weight, const float* gradient, float* mean, float* square, std::int64_t count,
                     const NadamTerms& terms);

struct AdamTerms {
    float stepSize;       ///< rate over the first moment's bias correction
    float rootCorrection; ///< square root of the second moment's bias correction
    float beta1, oneLessBeta1, beta2, oneLessBeta2, epsilon, decay;
};
double updateByAdam(float* weight, const float* gradient, float* mean, float* square, std::int64_t count,
                    const AdamTerms& terms);

struct AdadeltaTerms {
    float rate, rho, oneLessRho, epsilon, decay;
};
double updateByAdadelta(float* weight, const float* gradient, float* square, float* delta, std::int64_t count,
                        const AdadeltaTerms& terms);

} // namespace trainyard
