#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

constexpr auto kOnResume = Change::OnResume;

void policyFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("policy", &SolveConfig::policy)
        .changeable(kOnResume)
        .oneOf({"constant", "steps", "cosine", "exponential", "polynomial"})
        .help(TR_LATER("Schema", "How the learning rate goes on after the warm-up."));
    solve.field("steps", &SolveConfig::steps)
        .atLeast(1)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iterations at which the policy steps multiplies the rate by gamma, rising."));
    solve.field("gamma", &SolveConfig::gamma)
        .above(0)
        .atMost(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Factor of the policies steps and exponential."));
    solve.field("final_factor", &SolveConfig::finalFactor)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Share of the base rate that cosine and polynomial end at."));
    solve.field("power", &SolveConfig::power)
        .above(0)
        .atMost(100)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Exponent of the policy polynomial."));
}

void warmUpFields(Section<Field, RunConfig, WarmUpConfig> warmUp) {
    warmUp.field("iterations", &WarmUpConfig::iterations)
        .atLeast(0)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "How long the learning rate rises before the policy takes over; 0 is off."));
    warmUp.field("start_factor", &WarmUpConfig::startFactor)
        .above(0)
        .atMost(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Share of the rate that the warm-up begins with."));
    warmUp.field("method", &WarmUpConfig::method)
        .oneOf({"linear", "constant"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The warm-up rises in a straight line, or keeps its first rate."));
}

void optimizerFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("momentum", &SolveConfig::momentum)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Momentum of sgd."));
    solve.field("nesterov", &SolveConfig::nesterov)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether sgd looks ahead along its momentum."));
    solve.field("beta1", &SolveConfig::beta1)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of adam's mean of gradients."));
    solve.field("beta2", &SolveConfig::beta2)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of adam's mean of squared gradients."));
    solve.field("epsilon", &SolveConfig::epsilon)
        .above(0)
        .atMost(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Keeps adam and adadelta from dividing by zero."));
    solve.field("rho", &SolveConfig::rho)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of adadelta's means."));
    solve.field("weight_decay", &SolveConfig::weightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Pulls weights towards zero."));
    solve.field("norm_weight_decay", &SolveConfig::normWeightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The same for scales and offsets of normalisation layers."));
    solve.field("bias_weight_decay", &SolveConfig::biasWeightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The same for biases."));
}

void gradientFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("bias_multiplier", &SolveConfig::biasMultiplier)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Factor of the gradients of biases."));
    solve.field("freeze", &SolveConfig::freeze)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Regular expressions on parameter names; what matches is not trained."));
    solve.field("clip_norm", &SolveConfig::clipNorm)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest global norm of the gradient; 0 is off."));
    solve.field("clip_value", &SolveConfig::clipValue)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest magnitude of each element of the gradient; 0 is off."));
    solve.field("accumulate", &SolveConfig::accumulate)
        .between(1, 100000)
        .unit("batches")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Batches whose gradients make one update."));
}

} // namespace

void solveFields(RunSection& run) {
    auto solve = run.section("solve", &RunConfig::solve);
    solve.field("iterations", &SolveConfig::iterations)
        .between(1, 1e12)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Updates in all."));
    solve.field("base_lr", &SolveConfig::baseLr)
        .above(0)
        .atMost(1000)
        .changeable(Change::Live)
        .help(TR_LATER("Schema", "The learning rate that warm-up and policy multiply."));
    solve.field("optimizer", &SolveConfig::optimizer)
        .oneOf({"sgd", "adam", "adadelta"})
        .help(TR_LATER("Schema", "How gradients become updates."));
    policyFields(solve);
    optimizerFields(solve);
    gradientFields(solve);
    warmUpFields(solve.section("warm_up", &SolveConfig::warmUp));
}

} // namespace trainyard::declare
