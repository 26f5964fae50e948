// Scoring a file of results that some model, ours or another's, has left.
#include "app/engine/Evaluation.h"
#include "app/engine/RecognitionTask.h"
#include "app/engine/RunData.h"
#include "core/base/Clock.h"
#include "core/base/InputFile.h"
#include "core/base/Json.h"
#include "core/data/CocoFiles.h"
#include "core/evaluate/CocoResults.h"
#include "core/evaluate/ProposalResults.h"
#include "core/evaluate/VocEvaluation.h"
#include "core/evaluate/VocResults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace trainyard {

namespace {
CocoType cocoType(const std::string& name) {
    return name == "segm" ? CocoType::Masks : name == "keypoints" ? CocoType::Keypoints : CocoType::Boxes;
}

/// What was left out, as a person must know when a score looks low.
std::string unknownCategories(const CocoScore& score) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown(score.unknownCategories.begin(), score.unknownCategories.end());
    const bool isLong = shown.size() > kShown;
    shown.resize(std::min(shown.size(), kShown));
    return fmt::format("{} of {} results are left out, because the annotations have no category {}{}.",
                       score.ofUnknownCategory, score.detections, fmt::join(shown, ", "), isLong ? ", …" : "");
}

Result<EvaluationResult> scoreProposalFile(const std::string& results, const std::filesystem::path& annotations) {
    const auto score = scoreProposals(results, annotations);
    if (!score)
        return score.error();
    EvaluationResult result;
    result.report.metrics = score->metrics;
    result.report.samples = score->images;
    return result;
}

Result<EvaluationResult> scoreCocoFile(const std::string& results, const std::filesystem::path& annotations,
                                       const std::string& type) {
    auto score = scoreCocoResults(results, annotations, cocoType(type));
    if (!score)
        return score.error();
    EvaluationResult result;
    result.report.metrics = score->metrics;
    result.report.samples = score->images;
    result.classes = score->classes;
    result.curves = score->evaluation.curves();
    result.confusion = std::move(score->confusion);
    if (score->ofUnknownCategory > 0)
        result.warnings.push_back(unknownCategories(*score));
    return result;
}

Result<EvaluationResult> scoreCoco(const std::string& results, const DatasetConfig& data, const std::string& type) {
    const auto files = locateCoco(data, false);
    if (!files)
        return files.error();
    auto result = type == "proposals" ? scoreProposalFile(results, files->annotations)
                                      : scoreCocoFile(results, files->annotations, type);
    if (result)
        result->report.dataset = files->annotations.filename().string();
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
    VocEvaluation evaluation((*dataset)->classes(),
                             config.evaluate.voc == "eleven" ? VocRule::ElevenPoints : VocRule::AllPoints);
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
    result.curves = evaluation.curves();
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
    if (!result)
        return result;
    result->expected = heldAgainst(config.evaluate, result->report.metrics);
    result->report.seconds = steadySeconds() - begin;
    return result;
}

} // namespace trainyard
