#include "app/cli/CommandLine.h"
#include "app/cli/ConfigArgument.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/OutputPlace.h"
#include "app/engine/CheckpointReference.h"
#include "app/engine/Overlay.h"
#include "app/engine/Predictor.h"
#include "app/engine/Task.h"
#include "core/data/Dataset.h"

#include <CLI/CLI.hpp>

#include <set>

namespace trainyard::cli {

namespace {
struct PredictOptions {
    std::string checkpoint, out, model, weights;
    std::vector<std::string> images, overrides, classes;
};

Result<std::filesystem::path> fileOf(const Shared& shared, const std::string& reference) {
    const auto project = shared.openProject(Project::Mode::ReadOnly);
    const auto found = findCheckpoint(project ? project->get() : nullptr, reference);
    if (found)
        return found->file;
    return project || found.error().kind == ErrorKind::Damaged ? found.error() : project.error();
}

/// DIR/NAME.png, with a number where another image of that name came before.
std::filesystem::path pictureFile(const std::filesystem::path& folder, const std::string& image,
                                  std::set<std::string>& taken) {
    const std::string stem = std::filesystem::path(image).stem().string();
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i)
        name = stem + "-" + std::to_string(i);
    return folder / (name + ".png");
}

/// Pictures are named like their images: among them, word.png would be written over word.png.
Result<void> keepApart(const std::filesystem::path& folder, const std::vector<std::string>& images) {
    for (const std::string& image : images) {
        std::error_code code;
        if (std::filesystem::equivalent(folder, std::filesystem::absolute(image, code).parent_path(), code))
            return Error{ErrorKind::Usage, "The images themselves lie in this folder and would be written over.",
                         folder.string(), "Name another folder with --out."};
    }
    return {};
}

/// The model of a checkpoint, or of a configuration with weights of others.
Result<LoadedModel> modelOf(const Shared& shared, const PredictOptions& options) {
    if (options.weights.empty()) {
        const auto file = fileOf(shared, options.checkpoint);
        if (!file)
            return file.error();
        return loadModel(*file, options.overrides);
    }
    const auto config = configArgument(options.model, options.overrides);
    if (!config)
        return config.error();
    return loadForeignModel(*config, options.weights, options.classes);
}

/// With weights of others there is no checkpoint: what stands first is an image.
Result<void> settle(PredictOptions& options) {
    if (options.weights.empty() != options.model.empty())
        return Error{ErrorKind::Usage, "--weights and --model belong together.", "predict", "Give both or neither."};
    if (!options.weights.empty() && !options.checkpoint.empty())
        options.images.insert(options.images.begin(), std::move(options.checkpoint));
    if (options.images.empty())
        return Error{ErrorKind::Usage, "No image is named.", "predict", "See trainyard predict --help."};
    return {};
}

Result<int> predict(const Shared& shared, PredictOptions options) {
    if (const auto settled = settle(options); !settled)
        return settled.error();
    if (!options.out.empty()) {
        if (const auto ready = prepareFolder(options.out); !ready)
            return ready.error();
        if (const auto apart = keepApart(options.out, options.images); !apart)
            return apart.error();
    }
    auto loaded = modelOf(shared, options);
    if (!loaded)
        return loaded.error();
    auto predictor = Predictor::make(std::move(*loaded));
    if (!predictor)
        return predictor.error();
    std::set<std::string> taken;
    int worst = 0;
    for (const std::string& image : options.images) {
        const auto found = predictor->predict(image);
        if (!found) { // the others are still wanted
            printError(found.error());
            worst = exitCode(found.error().kind);
            continue;
        }
        Json json = {{"image", image}};
        predictor->task().addJson(json, found->prediction);
        print(toLine(json) + "\n");
        if (options.out.empty())
            continue;
        const auto picture = predictor->task().picture(found->image, found->prediction, nullptr);
        const auto place = pictureFile(options.out, image, taken);
        if (const auto written = writeImage(place.string(), picture); !written)
            return written.error();
        if (const auto& straight = found->prediction.rectification) // NAME.rectified.png
            if (const auto written =
                    writeImage(std::filesystem::path(place).replace_extension(".rectified.png").string(),
                               rectifiedImage(*straight));
                !written)
                return written.error();
    }
    return worst;
}
} // namespace

void addPredict(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<PredictOptions>();
    auto* verb = app.add_subcommand("predict", "What a trained model says of images, a JSON object a line");
    verb->add_option("CHECKPOINT", options->checkpoint,
                     "A checkpoint's file, or RUN, RUN@ITERATION, RUN@best, RUN@newest; none with --weights")
        ->required();
    verb->add_option("IMAGE", options->images, "Image files");
    verb->add_option("--model", options->model, "With --weights: the configuration or preset that they belong to");
    verb->add_option("--weights", options->weights,
                     "Weights of others: a file, or https://HOST/FILE#sha256=DIGITS, instead of a checkpoint");
    verb->add_option("--class", options->classes, "With --weights: the name of the next class. Repeatable")
        ->allow_extra_args(false);
    verb->add_option(
        "--out", options->out,
        "A folder for pictures with the predictions drawn on them, and words as a rectifier straightened them");
    verb->add_option("--set", options->overrides,
                     "key.path=value of the model's configuration, such as "
                     "model.retinanet.score_threshold=0.5")
        ->allow_extra_args(false);
    verb->fallthrough();
    verb->callback([&line, options] { line.action = [&line, options] { return predict(line.shared, *options); }; });
}

} // namespace trainyard::cli
