// Scoring a file of results that some model, ours or another's, has left.
#include "app/engine/Evaluation.h"
#include "app/engine/RecognitionTask.h"
#include "app/engine/RunData.h"
#include "core/base/Clock.h"
#include "core/base/InputFile.h"
#include "core/base/Json.h"
#include "core/data/CocoFiles.h"
#include "core/evaluate/CocoResults.h"
#include "core/evaluate/VocEvaluation.h"
#include "core/evaluate/VocResults.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace trainyard {

namespace {
CocoType cocoType(const std::string& name) {
    return name == "segm" ? CocoType::Masks : name == "keypoints" ? CocoType::Keypoints : CocoType::Boxes;
}

Result<EvaluationResult> scoreCoco(const std::string& results, const DatasetConfig& data, const std::string& type) {
    const auto files = locateCoco(data, false);
    if (!files)
        return files.error();
    const auto score = scoreCocoResults(results, files->annotations, cocoType(type));
    if (!score)
        return score.error();
    EvaluationResult result;
    result.report.metrics = score->metrics;
    result.report.samples = score->images;
    result.report.dataset = files->annotations.filename().string();
    result.classes = score->classes;
    return result;
}

/// The reading of each image, by its id.
Result<std::map<std::string, std::string>> readReadings(const std::string& file) {
    const auto text = readFile(file);
    if (!text)
        return text.error();
    std::map<std::string, std::string> readings;
    std::istringstream lines(*text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const auto json = parseJson(line, file, ErrorKind::Data, std::size_t(number));
        if (!json)
            return json.error();
        const auto image = json->find("image"), reading = json->find("text");
        if (!json->is_object() || image == json->end() || !image->is_string() || reading == json->end() ||
            !reading->is_string())
            return Error{ErrorKind::Data, "The line is no object with the texts \"image\" and \"text\".",
                         fmt::format("{}:{}", file, number), "Write a JSON object a line, as trainyard predict does."};
        readings[*image] = *reading;
    }
    return readings;
}

/// Matched by the whole id, else by the file's name; an image without a reading counts as read wrong.
Result<EvaluationResult> scoreWords(const std::string& results, const DatasetConfig& data, const RunConfig& config) {
    const auto readings = readReadings(results);
    if (!readings)
        return readings.error();
    std::map<std::string, std::string> byName;
    for (const auto& [image, text] : *readings)
        byName[std::filesystem::path(image).filename().string()] = text;
    const auto dataset = openForEvaluation(data, config, {});
    if (!dataset)
        return dataset.error();
    const RecognitionTask task(config);
    if (const auto ready = task.ready(); !ready)
        return ready.error();
    const auto scorer = task.makeScorer(**dataset);
    std::int64_t matched = 0;
    for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
        const SampleInfo info = (*dataset)->info(i);
        const auto whole = readings->find(info.id);
        const auto named = byName.find(std::filesystem::path(info.id).filename().string());
        const bool isFound = whole != readings->end() || named != byName.end();
        matched += isFound;
        Prediction prediction;
        prediction.text = !isFound ? "" : whole != readings->end() ? whole->second : named->second;
        scorer->add(info, prediction);
    }
    if (matched == 0)
        return Error{ErrorKind::Data, fmt::format("None of its images is in {}.", (*dataset)->name()), results,
                     "Score it against the data that it was made from."};
    EvaluationResult result;
    result.report.metrics = scorer->metrics();
    nlohmann::ordered_json details = nlohmann::ordered_json::object();
    scorer->addDetails(details);
    result.details = details.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    result.report.samples = (*dataset)->size();
    result.report.dataset = (*dataset)->name();
    return result;
}

/// Matched by the image's name without extension; an image without results has nothing found in it.
Result<EvaluationResult> scoreVoc(const std::string& results, const DatasetConfig& data, const RunConfig& config) {
    const auto dataset = openDataset(data, {config, TaskKind::Detection, false, {}});
    if (!dataset)
        return dataset.error();
    auto found = readVocResults(results, (*dataset)->classes());
    if (!found)
        return found.error();
    VocEvaluation evaluation((*dataset)->classes());
    for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
        const SampleInfo info = (*dataset)->info(i);
        const auto own = found->find(std::filesystem::path(info.id).stem().string());
        evaluation.add(info, own == found->end() ? std::vector<Detection>() : own->second);
        if (own != found->end())
            found->erase(own);
    }
    if (!found->empty()) // they would count as wrong, or be left out: neither is what was asked for
        return Error{ErrorKind::Data,
                     fmt::format("The data has no image \"{}\" ({} of the results' images are not in it).",
                                 found->begin()->first, found->size()),
                     results, "Score it against the data that it was made from; #PART names a part of it."};
    EvaluationResult result;
    result.report.metrics = evaluation.metrics();
    result.report.samples = (*dataset)->size();
    result.report.dataset = (*dataset)->name();
    result.classes = evaluation.classScores();
    return result;
}
} // namespace

Result<EvaluationResult> evaluateResults(const std::string& results, const DatasetConfig& data, const std::string& type,
                                         const RunConfig& config) {
    const double begin = steadySeconds();
    DatasetConfig entry = data;
    if (entry.format == "auto") {
        const auto format = findFormat(entry.path);
        if (!format)
            return format.error();
        entry.format = *format;
    }
    auto result = entry.format == "coco"  ? scoreCoco(results, entry, type)
                  : entry.format == "voc" ? scoreVoc(results, entry, config)
                                          : scoreWords(results, entry, config);
    if (result)
        result->report.seconds = steadySeconds() - begin;
    return result;
}

} // namespace trainyard
