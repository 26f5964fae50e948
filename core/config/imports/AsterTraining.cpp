#include "core/config/imports/AsterMapping.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::aster {
namespace {

/// The rate at the start of training and how it goes on.
void mapRate(Mapping& mapping, const Message& rate) {
    const std::string chosen = rate.chosen("learning_rate");
    if (chosen == "constant_learning_rate") {
        mapping.to.set("solve.policy", std::string("constant"));
        mapping.real(rate.message(chosen), "learning_rate", "solve.base_lr");
    } else if (chosen == "exponential_decay_learning_rate") {
        const Message& decay = rate.message(chosen);
        mapping.to.set("solve.policy", std::string("exponential"));
        mapping.real(decay, "initial_learning_rate", "solve.base_lr");
        mapping.real(decay, "decay_factor", "solve.gamma");
        mapping.put(decay, "decay_steps", "solve.decay_iterations", decay.integer("decay_steps"));
        mapping.put(decay, "staircase", "solve.staircase", decay.flag("staircase"));
    } else if (chosen == "manual_step_learning_rate") {
        const Message& manual = rate.message(chosen);
        std::vector<std::int64_t> steps;
        std::vector<double> rates;
        for (const Message* change : manual.messages("schedule")) {
            steps.push_back(change->integer("step"));
            rates.push_back(change->real("learning_rate"));
        }
        if (steps.empty())
            return mapping.problem(manual, "schedule", "A manual_step_learning_rate needs a schedule.");
        mapping.real(manual, "initial_learning_rate", "solve.base_lr");
        mapping.put(rate, "manual_step_learning_rate", "solve.policy", std::string("manual"));
        mapping.to.set("solve.steps", steps);
        mapping.to.set("solve.rates", rates);
    } else {
        mapping.problem(rate, "constant_learning_rate", "The optimiser has no learning rate.");
    }
}

void mapOptimizer(Mapping& mapping, const Message& training) {
    const Message& optimizer = training.message("optimizer");
    const std::string chosen = optimizer.chosen("optimizer");
    if (chosen.empty())
        return mapping.problem(training, "optimizer", "The configuration has no optimiser.");
    const Message& inner = optimizer.message(chosen);
    mapping.to.set("solve.weight_decay", 0.0);
    mapping.to.set("solve.momentum", 0.0);
    const std::string name = chosen == "rms_prop_optimizer"   ? "rmsprop"
                             : chosen == "momentum_optimizer" ? "sgd"
                                                              : chosen.substr(0, chosen.find('_'));
    mapping.put(optimizer, chosen.c_str(), "solve.optimizer", name);
    if (name == "rmsprop" || name == "sgd")
        mapping.real(inner, "momentum_optimizer_value", "solve.momentum");
    if (name == "rmsprop") {
        mapping.real(inner, "decay", "solve.rho");
        mapping.real(inner, "epsilon", "solve.epsilon");
    } else {
        mapping.to.set("solve.epsilon", 1e-8);
    }
    if (name == "adadelta")
        mapping.real(inner, "rho", "solve.rho");
    mapRate(mapping, inner.message("learning_rate"));
    mapping.put(optimizer, "use_moving_average", "solve.average_decay",
                optimizer.flag("use_moving_average") ? optimizer.real("moving_average_decay") : 0.0);
}

void mapCadence(Mapping& mapping, const Message& training) {
    if (const std::int64_t steps = training.integer("num_steps"); steps > 0)
        mapping.put(training, "num_steps", "solve.iterations", steps);
    else
        mapping.adapt(training, "num_steps", "ASTER stops with an error at 0; solve.iterations keeps its default.");
    mapping.to.set("train.checkpoint_every", std::int64_t(0));
    mapping.put(training, "save_checkpoint_secs", "train.checkpoint_every_seconds",
                double(training.integer("save_checkpoint_secs")));
    mapping.to.set("train.keep_last", std::int64_t(5));
    mapping.put(training, "keep_checkpoint_every_n_hours", "train.keep_every_hours",
                double(training.integer("keep_checkpoint_every_n_hours")));
    mapping.integer(training, "save_summaries_steps", "train.summarise_every");
    mapping.to.set("train.event_files", training.integer("save_summaries_steps") > 0);
    mapping.to.set("train.profile_at", std::int64_t(201)); // ASTER always traces the step after its 200th
}

/// Sets its file, or says why there is none.
void takeRecords(Mapping& mapping, const Message& reader, DatasetConfig& entry) {
    entry.format = "tfrecord";
    entry.path = reader.message("tf_record_input_reader").text("input_path");
    if (reader.chosen("input_reader") != "tf_record_input_reader")
        mapping.problem(reader, "external_input_reader", "A reader here is a tf_record_input_reader.");
    else if (entry.path.empty())
        mapping.problem(reader.message("tf_record_input_reader"), "input_path", "A reader has no input_path.");
    mapping.unmapped(reader, "label_map_path", "ASTER does not use it either.");
    mapping.unmapped(reader, "load_instance_masks", "ASTER does not use it either.");
    mapping.adapt(reader, "queue_capacity", "records are read by their place; nothing is held back.");
    mapping.adapt(reader, "min_after_dequeue", "records are read by their place; nothing is held back.");
}

void mapReaders(Mapping& mapping, const Message& pipeline) {
    const Message& training = pipeline.message("train_config");
    const auto readers = pipeline.messages("train_input_reader");
    std::vector<std::int64_t> sizes;
    for (const protobuf::Value* size : training.all("batch_size"))
        sizes.push_back(std::get<std::int64_t>(size->content));
    if (sizes.size() < readers.size())
        return mapping.problem(training, "batch_size",
                               fmt::format("batch_size must be given for each of the {} readers.", readers.size()));
    if (sizes.size() > readers.size())
        mapping.adapt(training, "batch_size", fmt::format("the first {} count, one a reader.", readers.size()));
    std::vector<DatasetConfig> entries;
    std::int64_t total = 0, workers = 1;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        const Message& reader = *readers[i];
        DatasetConfig& entry = entries.emplace_back();
        takeRecords(mapping, reader, entry);
        entry.batchSize = readers.size() > 1 ? sizes[i] : 0;
        total += sizes[i];
        workers = std::max(workers, reader.integer("num_readers"));
        mapping.unmappedUnless(reader, "shuffle", "true", "Training data is always shuffled, by the seed.");
        mapping.unmappedUnless(reader, "num_epochs", "0", "Training goes on until solve.iterations.");
    }
    mapping.to.set("data.train", entries);
    if (total > 0)
        mapping.put(training, "batch_size", "data.batch_size", total);
    mapping.to.set("data.workers", workers);
    mapping.integer(training, "prefetch_queue_capacity", "data.prefetch");
    mapping.adapt(training, "batch_queue_capacity", "there is one queue of batches, data.prefetch.");
    mapping.adapt(training, "num_batch_queue_threads", "data.workers read and make batches.");
}

} // namespace

void mapTraining(Mapping& mapping, const Message& pipeline) {
    const Message& training = pipeline.message("train_config");
    mapOptimizer(mapping, training);
    mapGradients(mapping, pipeline);
    mapCadence(mapping, training);
    mapReaders(mapping, pipeline);
    const Steps steps = stepsOf(mapping, training.messages("data_augmentation_options"));
    if (steps.height > 0)
        mapping.to.set("model.aster.height", steps.height);
    if (steps.width > 0)
        mapping.to.set("model.aster.width", steps.width);
    if (!mapping.to.set("data.steps", steps.texts) && !steps.texts.empty())
        mapping.unmapped(training, "data_augmentation_options", "Only its size was taken.");
}

void mapEvaluation(Mapping& mapping, const Message& pipeline) {
    const Message& evaluation = pipeline.message("eval_config");
    if (pipeline.has("eval_input_reader")) {
        DatasetConfig entry;
        const Message& reader = pipeline.message("eval_input_reader");
        takeRecords(mapping, reader, entry);
        mapping.unmappedUnless(reader, "shuffle", "false", "An evaluation goes through its data in order.");
        mapping.unmappedUnless(reader, "num_epochs", "1", "An evaluation goes through its data once.");
        mapping.unmappedUnless(reader, "num_readers", "1", "data.workers read for evaluations too.");
        mapping.to.set("data.validation", std::vector<DatasetConfig>{entry});
    }
    if (!pipeline.has("eval_config"))
        return;
    mapping.integer(evaluation, "num_examples", "evaluate.max_samples");
    mapping.to.set("evaluate.batch_size", std::int64_t(1));
    mapping.integer(evaluation, "num_visualizations", "evaluate.pictures");
    mapping.put(evaluation, "only_visualize_incorrect", "evaluate.pictures_of",
                std::string(evaluation.flag("only_visualize_incorrect") ? "wrong" : "first"));
    mapping.flag(evaluation, "eval_with_lexicon", "evaluate.uses_lexicons");
    mapping.put(evaluation, "use_moving_averages", "evaluate.weights",
                std::string(evaluation.flag("use_moving_averages") ? "averaged" : "raw"));
    if (evaluation.text("metrics_set") == "recognition_metrics")
        mapping.put(evaluation, "metrics_set", "evaluate.compare", std::string("alphanumeric"));
    else
        mapping.problem(evaluation, "metrics_set", "There is one set of metrics, recognition_metrics.");
    mapping.adapt(evaluation, "eval_interval_secs", "trainyard evaluate RUN --follow looks for new checkpoints.");
    mapping.adapt(evaluation, "max_evals", "trainyard evaluate RUN --follow goes on until it is stopped.");
    mapping.adapt(evaluation, "visualization_export_dir", "pictures lie in the run's folder.");
    for (const char* unused : {"save_graph", "eval_master", "export_path", "ignore_groundtruth", "eval_instance_masks"})
        mapping.unmapped(evaluation, unused);
    const Steps steps = stepsOf(mapping, evaluation.messages("data_preprocessing_steps"));
    if (!mapping.to.set("evaluate.steps", steps.texts) && !steps.texts.empty())
        mapping.unmapped(evaluation, "data_preprocessing_steps");
}

} // namespace trainyard::aster
