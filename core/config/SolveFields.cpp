#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void policyFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("policy", &SolveConfig::policy)
        .changeable(kOnResume)
        .oneOf({"constant", "steps", "manual", "cosine", "exponential", "polynomial"})
        .help(TR_LATER("Schema", "How the learning rate goes on after the warm-up."));
    solve.field("steps", &SolveConfig::steps)
        .atLeast(1)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iterations at which the policy steps multiplies the rate by gamma, and manual takes "
                                 "its next rate; rising."));
    solve.field("rates", &SolveConfig::rates)
        .atLeast(0)
        .atMost(1000)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Learning rates of the policy manual, one from each of the steps on; before the first "
                                 "step the base rate holds."));
    solve.field("gamma", &SolveConfig::gamma)
        .above(0)
        .atMost(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Factor of the policies steps and exponential."));
    solve.field("decay_iterations", &SolveConfig::decayIterations)
        .between(0, 1e12)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "In how many iterations exponential falls by gamma; 0 takes the whole run."));
    solve.field("staircase", &SolveConfig::staircase)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether exponential falls in steps of decay_iterations instead of steadily."));
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
        .help(TR_LATER("Schema", "Momentum of sgd and rmsprop."));
    solve.field("nesterov", &SolveConfig::nesterov)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether sgd looks ahead along its momentum."));
    solve.field("rate_in_momentum", &SolveConfig::rateInMomentum)
        .help(TR_LATER("Schema", "Whether sgd's momentum adds up steps, each with its own learning rate, as Caffe2 "
                                 "does, instead of gradients."));
    solve.field("momentum_rescale", &SolveConfig::momentumRescale)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "With rate_in_momentum: where the learning rate changes by more than this factor, the "
                                 "momentum is scaled with it; 0 never."));
    solve.field("beta1", &SolveConfig::beta1)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of the mean of gradients of adam and nadam."));
    solve.field("beta2", &SolveConfig::beta2)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of the mean of squared gradients of adam and nadam."));
    solve.field("epsilon", &SolveConfig::epsilon)
        .above(0)
        .atMost(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Keeps adam, nadam, adadelta and rmsprop from dividing by zero."));
    solve.field("rho", &SolveConfig::rho)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of the means of adadelta and rmsprop."));
    solve.field("weight_decay", &SolveConfig::weightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Pulls weights towards zero."));
    solve.field("norm_weight_decay", &SolveConfig::normWeightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The same for scales of normalisation layers."));
    solve.field("bias_weight_decay", &SolveConfig::biasWeightDecay)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The same for biases and for offsets of normalisation layers."));
}

void gradientFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("bias_multiplier", &SolveConfig::biasMultiplier)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Factor of the gradients of biases."));
    solve.field("bias_pattern", &SolveConfig::biasPattern)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Regular expression on parameter names; bias_multiplier applies to what matches."));
    solve.field("freeze", &SolveConfig::freeze)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Regular expressions on parameter names; what matches is not trained."));
    solve.field("clip_norm", &SolveConfig::clipNorm)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest global norm of the gradient; 0 is off."));
    solve.field("clip_each_norm", &SolveConfig::clipEachNorm)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest norm of the gradient of each parameter; 0 is off."));
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

void averageFields(Section<Field, RunConfig, SolveConfig>& solve) {
    solve.field("average_decay", &SolveConfig::averageDecay)
        .atLeast(0)
        .below(1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Decay of a moving average of the weights, kept beside them; 0 keeps none."));
    solve.field("average_ramp", &SolveConfig::averageRamp)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether the decay is (1 + n) / (10 + n) after n updates where that is smaller: the "
                                 "average of a short training is then not that of its beginning."));
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
        .oneOf({"sgd", "adam", "adadelta", "rmsprop", "nadam"})
        .help(TR_LATER("Schema", "How gradients become updates."));
    policyFields(solve);
    optimizerFields(solve);
    gradientFields(solve);
    averageFields(solve);
    warmUpFields(solve.section("warm_up", &SolveConfig::warmUp));
}

} // namespace trainyard::declare
