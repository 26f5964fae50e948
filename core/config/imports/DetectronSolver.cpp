#include "core/config/imports/DetectronMapping.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::detectron {
namespace {

constexpr std::int64_t kMostSteps = 10000;

std::vector<std::int64_t> stepsOf(const Config& config) {
    const auto numbers = config.numbers("SOLVER.STEPS");
    return {numbers.begin(), numbers.end()};
}

/// STEPS begin with 0, which ours do not say: the first rate holds from there on.
bool checkSteps(Mapping& mapping) {
    const auto steps = stepsOf(mapping.from);
    if (!steps.empty() && steps.front() == 0)
        return true;
    mapping.problem("SOLVER.STEPS", "SOLVER.STEPS must begin with 0.");
    return false;
}

void constantRate(Mapping& mapping, const std::vector<std::string>& sources) {
    mapping.put(sources, "solve.policy", std::string("constant"));
}

void dropsBy(Mapping& mapping, std::vector<std::int64_t> steps, const std::vector<std::string>& sources) {
    if (steps.empty())
        return constantRate(mapping, sources);
    mapping.put(sources, "solve.policy", std::string("steps"));
    mapping.put(sources, "solve.steps", std::move(steps));
    mapping.map("SOLVER.GAMMA", "solve.gamma");
}

void equalSteps(Mapping& mapping) {
    const std::int64_t size = mapping.from.integer("SOLVER.STEP_SIZE"), last = mapping.from.integer("SOLVER.MAX_ITER");
    if (size < 1 || last / size > kMostSteps)
        return mapping.problem("SOLVER.STEP_SIZE", fmt::format("SOLVER.STEP_SIZE must be a whole number that gives at "
                                                               "most {} steps, not {}.",
                                                               kMostSteps, size));
    std::vector<std::int64_t> steps;
    for (std::int64_t step = size; step < last; step += size)
        steps.push_back(step);
    dropsBy(mapping, steps, {"SOLVER.LR_POLICY", "SOLVER.STEP_SIZE"});
}

void listedRates(Mapping& mapping) {
    std::vector<double> rates = mapping.from.numbers("SOLVER.LRS");
    std::vector<std::int64_t> steps = stepsOf(mapping.from);
    if (!checkSteps(mapping))
        return;
    if (rates.size() != steps.size())
        return mapping.problem("SOLVER.LRS",
                               fmt::format("SOLVER.LRS must give one rate for each of SOLVER.STEPS; there "
                                           "are {} rates and {} steps.",
                                           rates.size(), steps.size()));
    mapping.put({"SOLVER.LRS"}, "solve.base_lr", rates.front());
    mapping.adapt("SOLVER.BASE_LR", "the rates of SOLVER.LRS hold instead.");
    rates.erase(rates.begin());
    steps.erase(steps.begin());
    if (steps.empty())
        return constantRate(mapping, {"SOLVER.LR_POLICY", "SOLVER.STEPS"});
    mapping.put({"SOLVER.LR_POLICY"}, "solve.policy", std::string("manual"));
    mapping.put({"SOLVER.STEPS"}, "solve.steps", std::move(steps));
    mapping.put({"SOLVER.LRS"}, "solve.rates", std::move(rates));
}

void mapPolicy(Mapping& mapping) {
    const std::string& policy = mapping.from.text("SOLVER.LR_POLICY");
    mapping.map("SOLVER.BASE_LR", "solve.base_lr");
    if (policy == "step")
        return equalSteps(mapping);
    if (policy == "steps_with_decay") {
        if (!checkSteps(mapping))
            return;
        auto steps = stepsOf(mapping.from);
        steps.erase(steps.begin());
        return dropsBy(mapping, std::move(steps), {"SOLVER.LR_POLICY", "SOLVER.STEPS"});
    }
    if (policy == "steps_with_lrs")
        return listedRates(mapping);
    if (policy == "cosine_decay") {
        mapping.put({"SOLVER.LR_POLICY"}, "solve.policy", std::string("cosine"));
        mapping.to.set("solve.final_factor", 0.0);
        return;
    }
    if (policy == "exp_decay") {
        mapping.put({"SOLVER.LR_POLICY"}, "solve.policy", std::string("exponential"));
        mapping.map("SOLVER.GAMMA", "solve.gamma");
        return;
    }
    mapping.problem("SOLVER.LR_POLICY", fmt::format("There is no policy \"{}\"; choose one of step, steps_with_decay, "
                                                    "steps_with_lrs, cosine_decay, exp_decay.",
                                                    policy));
}

void mapWarmUp(Mapping& mapping) {
    mapping.map("SOLVER.WARM_UP_ITERS", "solve.warm_up.iterations");
    mapping.map("SOLVER.WARM_UP_FACTOR", "solve.warm_up.start_factor");
    if (!mapping.map("SOLVER.WARM_UP_METHOD", "solve.warm_up.method"))
        mapping.problem("SOLVER.WARM_UP_METHOD", fmt::format("There is no warm-up \"{}\"; choose linear or constant.",
                                                             mapping.from.text("SOLVER.WARM_UP_METHOD")));
}

/// Detectron counts snapshots for all GPUs together, and keeps them all.
void mapSnapshots(Mapping& mapping) {
    const std::int64_t gpus = mapping.from.integer("NUM_GPUS");
    const std::int64_t every = mapping.from.integer("TRAIN.SNAPSHOT_ITERS") / std::max<std::int64_t>(gpus, 1);
    if (gpus < 1)
        return mapping.problem("NUM_GPUS", fmt::format("NUM_GPUS must be at least 1, not {}.", gpus));
    if (every < 1)
        return mapping.problem(
            "TRAIN.SNAPSHOT_ITERS",
            fmt::format("TRAIN.SNAPSHOT_ITERS by NUM_GPUS ({}) must be at least 1 iteration.", gpus));
    mapping.put({"TRAIN.SNAPSHOT_ITERS"}, "train.checkpoint_every", every);
    const std::int64_t count = mapping.from.integer("SOLVER.MAX_ITER") / every + 1;
    mapping.put({}, "train.keep_last", std::clamp<std::int64_t>(count, 1, 1000000));
    if (gpus > 1)
        mapping.adapt("NUM_GPUS", fmt::format("every update is of {} images; name the devices that share them in "
                                              "train.devices.",
                                              gpus * mapping.from.integer("TRAIN.IMS_PER_BATCH")));
    mapping.use({"NUM_GPUS"});
}

} // namespace

void mapSolver(Mapping& mapping) {
    mapping.map("RNG_SEED", "seed");
    mapping.map("SOLVER.MAX_ITER", "solve.iterations");
    mapping.to.set("solve.optimizer", std::string("sgd"));
    mapPolicy(mapping);
    mapWarmUp(mapping);
    mapping.map("SOLVER.MOMENTUM", "solve.momentum");
    mapping.map("SOLVER.WEIGHT_DECAY", "solve.weight_decay");
    mapping.map("SOLVER.WEIGHT_DECAY_GN", "solve.norm_weight_decay");
    mapping.to.set("solve.bias_weight_decay", 0.0); // Detectron's biases learn twice as fast and never shrink
    mapping.to.set("solve.bias_multiplier", 2.0);
    mapping.to.set("solve.rate_in_momentum", true);
    const double threshold = mapping.from.real("SOLVER.SCALE_MOMENTUM_THRESHOLD");
    mapping.put({"SOLVER.SCALE_MOMENTUM", "SOLVER.SCALE_MOMENTUM_THRESHOLD"}, "solve.momentum_rescale",
                mapping.from.flag("SOLVER.SCALE_MOMENTUM") ? threshold : 0.0);
    mapSnapshots(mapping);
    mapping.to.set("train.json_stats", true);
    mapping.adapt("TRAIN.AUTO_RESUME", "say it on the command line: trainyard train … --auto-resume.");
    mapping.adapt("OUTPUT_DIR", "a run's files lie in its project, which --project names.");
    mapping.adapt("MEMONGER", "memory is shared where that changes nothing; train.recompute saves more of it.");
    mapping.adapt("SOLVER.LOG_LR_CHANGE_THRESHOLD", "the learning rate of every iteration is recorded.");
    if (!mapping.from.text("TRAIN.WEIGHTS").empty())
        mapping.map("TRAIN.WEIGHTS", "model.weights");
    mapping.use({"TRAIN.WEIGHTS"});
}

} // namespace trainyard::detectron
