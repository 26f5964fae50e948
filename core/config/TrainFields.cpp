#include "core/config/FieldBuilder.h"

namespace trainyard::declare {

void trainFields(RunSection& run) {
    auto train = run.section("train", &RunConfig::train);
    train.field("device", &TrainConfig::device)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Where to compute: auto, cpu, cuda or cuda:N."));
    train.field("devices", &TrainConfig::devices)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "A replica on each of these, [cuda:0, cuda:1]; empty uses the one device."));
    train.field("precision", &TrainConfig::precision)
        .oneOf({"auto", "fp32", "bf16"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Number format of the forward pass; auto takes bf16 where the device is fast at it."));
    train.field("deterministic", &TrainConfig::deterministic)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether a resumed run must repeat an uninterrupted one to the last bit."));
    train.field("threads", &TrainConfig::threads)
        .between(0, 1024)
        .unit("threads")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Compute threads; 0 takes the cores less the loader's."));
    train.field("recompute", &TrainConfig::recompute)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether blocks of the network are computed again in the backward pass instead of "
                                 "kept: less memory, more time, the same losses."));
    train.field("checkpoint_every", &TrainConfig::checkpointEvery)
        .atLeast(0)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iterations between checkpoints; 0 saves only at the end."));
    train.field("checkpoint_every_seconds", &TrainConfig::checkpointEverySeconds)
        .atLeast(0)
        .unit("seconds")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Seconds after which a checkpoint is saved besides; 0 is off."));
    train.field("evaluate_every", &TrainConfig::evaluateEvery)
        .atLeast(0)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iterations between evaluations; 0 never evaluates."));
    train.field("summarise_every", &TrainConfig::summariseEvery)
        .atLeast(0)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iterations between statistics of every parameter, after those of the first one; 0 "
                                 "never makes them."));
    train.field("keep_last", &TrainConfig::keepLast)
        .between(1, 1000000)
        .unit("checkpoints")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Newest checkpoints that are kept; the best and the final one always are."));
    train.field("keep_every_hours", &TrainConfig::keepEveryHours)
        .atLeast(0)
        .unit("hours")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Keeps one checkpoint for good in every so many hours; 0 is off."));
    train.field("best_metric", &TrainConfig::bestMetric)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Metric that decides which checkpoint is best; empty takes the task's own."));
    train.field("on_non_finite", &TrainConfig::onNonFinite)
        .oneOf({"stop", "skip"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "A loss that is NaN or infinite stops the run, or its batch is skipped."));
    train.field("event_files", &TrainConfig::eventFiles)
        .changeable(kOnResume)
        .help(
            TR_LATER("Schema", "Whether the run writes event files for TensorBoard, at the pace of summarise_every."));
    train.field("json_stats", &TrainConfig::jsonStats)
        .changeable(kOnResume)
        .help(
            TR_LATER("Schema", "Whether the run writes the json_stats lines of Detectron's log, every 20 iterations."));
    train.field("graph_files", &TrainConfig::graphFiles)
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Whether the run lists the operators of its first iteration in graph.txt, and how each "
                       "parameter began in init.txt."));
    train.field("profile_at", &TrainConfig::profileAt)
        .atLeast(0)
        .unit("iterations")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Iteration whose operators are timed and written as a trace; 0 never."));
}

} // namespace trainyard::declare
