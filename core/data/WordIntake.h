#pragma once

#include "core/data/ListedDataset.h"
#include "core/data/TranscriptRules.h"

#include <optional>
#include <regex>
#include <unordered_set>

namespace trainyard {

/// Fills a listing with words, one after the other, by the rules for transcripts; what is wrong with one is noted.
class WordIntake {
public:
    /// `source` is what errors name: the label file or the database.
    WordIntake(const DatasetContext& context, DatasetListing& listing, std::string source);

    /// Takes a sample with its id and image, or leaves it out. Fails when the configuration says that a transcript
    /// stops.
    Result<void> add(ListedSample sample, const std::string& transcript);
    /// Notes a sample whose image is nowhere.
    void addMissing(const std::string& id, const std::string& what = "The image file is missing.");
    /// Notes what is wrong with a sample that cannot be taken.
    void note(const std::string& id, const std::string& message,
              DataProblem::Severity severity = DataProblem::Severity::Warning) {
        m_listing.problems.push_back({severity, id, message});
    }

    /// Numbers what was taken. Fails when that is nothing.
    Result<void> finish();

private:
    DatasetListing& m_listing;
    TranscriptIntake m_transcripts;
    std::string m_source;
    std::optional<std::regex> m_matching; ///< whole transcripts; nothing takes all
    std::unordered_set<std::string> m_ids;
    std::size_t m_missing = 0, m_unmatched = 0;
};

} // namespace trainyard
