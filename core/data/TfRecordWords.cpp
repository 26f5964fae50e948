#include "core/base/Text.h"
#include "core/data/Curve.h"
#include "core/data/TfRecordDataset.h"
#include "core/data/WordIntake.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

/// Rows of points, x and y by turns, as an outline; empty where they are no two rows.
std::vector<Point> outlineOf(const std::vector<float>& numbers) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        points.push_back({numbers[i], numbers[i + 1]});
    return numbers.size() % 4 == 0 ? withLowerHalfTurned(std::move(points)) : std::vector<Point>();
}

/// What the records have instead of transcripts.
Error noTranscripts(const DatasetConfig& entry, const std::vector<std::string>& features, bool hasBoxes) {
    if (hasBoxes)
        return {ErrorKind::Data, "The records have boxes (image/object/bbox), not words.", entry.path,
                "Read them as tfrecord-boxes, for a model that finds objects."};
    return {ErrorKind::Data,
            fmt::format("No record has image/transcript; their features are {}.", text::joined(features)), entry.path,
            "Words are kept as image/encoded and image/transcript."};
}

} // namespace

Result<DatasetListing> listTfRecordWords(const DatasetConfig& entry, const DatasetContext& context) {
    DatasetListing listing = startListing("tfrecord", TaskKind::Recognition, entry.path, context);
    WordIntake intake(context, listing, entry.path);
    ExampleIds ids;
    std::vector<std::string> features; // of the first record
    bool hasBoxes = false, hasTranscripts = false;
    const auto read = eachExample(entry, context, listing, [&](const ReadExample& one) -> Result<void> {
        if (features.empty())
            for (const auto name : one.example.names())
                features.emplace_back(name);
        hasBoxes = hasBoxes || one.example.kind("image/object/bbox/xmin") != TfExample::Kind::None;
        hasTranscripts = hasTranscripts || one.example.kind("image/transcript") != TfExample::Kind::None;
        const WordExample word = WordExample::of(one.example);
        ListedSample sample;
        sample.info.id = ids.idOf(one);
        if (word.encoded.empty()) {
            intake.note(sample.info.id, fmt::format("The {} has no image.", one.record.name()),
                        DataProblem::Severity::Error);
            return {};
        }
        sample.span = one.span(word.encoded);
        sample.info.lexicon.assign(word.lexicon.begin(), word.lexicon.end());
        if (auto outline = outlineOf(word.keypoints); !outline.empty())
            sample.info.objects.emplace_back().polygons = {std::move(outline)};
        return intake.add(std::move(sample), std::string(word.transcript));
    });
    if (!read)
        return read.error();
    if (!hasTranscripts && !features.empty())
        return noTranscripts(entry, features, hasBoxes);
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

} // namespace trainyard
