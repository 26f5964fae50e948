#include "core/base/Text.h"
#include "core/data/TfRecordDataset.h"
#include "core/data/WordIntake.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

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
