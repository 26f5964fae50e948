#include "core/solve/UpdateKernels.h"

#include "core/nn/VectorClones.h"

#include <cmath>

namespace trainyard {
namespace {

TRAINYARD_VECTOR_CLONES
double updatePlainly(float* __restrict weight, const float* __restrict gradient, std::int64_t count, float rate,
                     float decay) {
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float update = rate * (gradient[i] + decay * weight[i]);
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

/// `own` and `ahead` weigh gradient and velocity in the update: 0 and 1 for plain momentum, 1 and momentum for
/// Nesterov.
TRAINYARD_VECTOR_CLONES
double updateByMomentum(float* __restrict weight, const float* __restrict gradient, float* __restrict velocity,
                        std::int64_t count, const SgdTerms& terms, float own, float ahead) {
    const float rate = terms.rate, momentum = terms.momentum, decay = terms.decay;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float decayed = gradient[i] + decay * weight[i];
        const float speed = momentum * velocity[i] + decayed;
        const float update = rate * (own * decayed + ahead * speed);
        velocity[i] = speed;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

} // namespace

double updateBySgd(float* weight, const float* gradient, float* velocity, std::int64_t count, const SgdTerms& terms) {
    if (!velocity)
        return updatePlainly(weight, gradient, count, terms.rate, terms.decay);
    if (terms.isNesterov)
        return updateByMomentum(weight, gradient, velocity, count, terms, 1.0f, terms.momentum);
    return updateByMomentum(weight, gradient, velocity, count, terms, 0.0f, 1.0f);
}

TRAINYARD_VECTOR_CLONES
double updateBySgdOfSteps(float* __restrict weight, const float* __restrict gradient, float* __restrict velocity,
                          std::int64_t count, const SgdTerms& terms) {
    const float rate = terms.rate, momentum = terms.momentum, decay = terms.decay;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float update = momentum * velocity[i] + rate * (gradient[i] + decay * weight[i]);
        velocity[i] = update;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

TRAINYARD_VECTOR_CLONES
double updateByRmsProp(float* __restrict weight, const float* __restrict gradient, float* __restrict square,
                       float* __restrict velocity, std::int64_t count, const RmsPropTerms& terms) {
    const RmsPropTerms t = terms;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float decayed = gradient[i] + t.decay * weight[i];
        const float mean = t.rho * square[i] + t.oneLessRho * decayed * decayed;
        const float update = t.momentum * velocity[i] + t.rate * decayed / std::sqrt(mean + t.epsilon);
        square[i] = mean;
        velocity[i] = update;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

TRAINYARD_VECTOR_CLONES
double updateByNadam(float* __restrict weight, const float* __restrict gradient, float* __restrict mean,
                     float* __restrict square, std::int64_t count, const NadamTerms& terms) {
    const NadamTerms t = terms;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float decayed = gradient[i] + t.decay * weight[i];
        const float first = t.beta1 * mean[i] + t.oneLessBeta1 * decayed;
        const float second = t.beta2 * square[i] + t.oneLessBeta2 * decayed * decayed;
        const float ahead = t.beta1 * first + t.oneLessBeta1 * decayed;
        const float update = t.stepSize * ahead / (std::sqrt(second) + t.epsilon);
        mean[i] = first;
        square[i] = second;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

TRAINYARD_VECTOR_CLONES
double updateByAdam(float* __restrict weight, const float* __restrict gradient, float* __restrict mean,
                    float* __restrict square, std::int64_t count, const AdamTerms& terms) {
    const AdamTerms t = terms;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float decayed = gradient[i] + t.decay * weight[i];
        const float first = t.beta1 * mean[i] + t.oneLessBeta1 * decayed;
        const float second = t.beta2 * square[i] + t.oneLessBeta2 * decayed * decayed;
        const float update = t.stepSize * first / (std::sqrt(second) / t.rootCorrection + t.epsilon);
        mean[i] = first;
        square[i] = second;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

TRAINYARD_VECTOR_CLONES
double updateByAdadelta(float* __restrict weight, const float* __restrict gradient, float* __restrict square,
                        float* __restrict delta, std::int64_t count, const AdadeltaTerms& terms) {
    const AdadeltaTerms t = terms;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < count; ++i) {
        const float decayed = gradient[i] + t.decay * weight[i];
        const float mean = t.rho * square[i] + t.oneLessRho * decayed * decayed;
        const float step = std::sqrt(delta[i] + t.epsilon) / std::sqrt(mean + t.epsilon) * decayed;
        const float update = t.rate * step;
        square[i] = mean;
        delta[i] = t.rho * delta[i] + t.oneLessRho * step * step;
        weight[i] -= update;
        squares += double(update) * double(update);
    }
    return squares;
}

} // namespace trainyard
