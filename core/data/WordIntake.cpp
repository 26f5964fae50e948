#include "core/data/WordIntake.h"

#include "core/base/Expression.h"

#include <fmt/format.h>

namespace trainyard {

WordIntake::WordIntake(const DatasetContext& context, DatasetListing& listing, std::string source)
    : m_listing(listing), m_transcripts(context, listing.problems), m_source(std::move(source)) {
    if (auto expression = compileExpression(context.matching, "matching"); expression && !context.matching.empty())
        m_matching = std::move(*expression); // openDataset refuses a wrong one
}

Result<void> WordIntake::add(ListedSample sample, const std::string& transcript) {
    if (!m_ids.insert(sample.info.id).second)
        note(sample.info.id, "The image is listed twice.");
    if (m_matching && !std::regex_match(transcript, *m_matching)) {
        ++m_unmatched;
        return {};
    }
    const auto accepted = m_transcripts.accept(sample.info, transcript, m_source);
    if (!accepted)
        return accepted.error();
    if (*accepted)
        m_listing.samples.push_back(std::move(sample));
    return {};
}

void WordIntake::addMissing(const std::string& id, const std::string& what) {
    note(id, what, DataProblem::Severity::Error);
    ++m_missing;
}

Result<void> WordIntake::finish() {
    m_transcripts.finish();
    if (m_unmatched > 0)
        note("", fmt::format("{} words do not match the expression asked for and are left out.", m_unmatched),
             DataProblem::Severity::Note);
    m_listing.newCharacters = m_transcripts.newCharacters();
    if (!m_listing.samples.empty()) {
        numberSamples(m_listing);
        return {};
    }
    if (m_missing > 0 && m_ids.empty())
        return Error{ErrorKind::Data, fmt::format("None of the {} images was found.", m_missing), m_source,
                     "Put the images beside the labels, or into a folder there."};
    return Error{ErrorKind::Data, "No labelled image can be used.", m_source,
                 "Look at the labels, at the model's alphabet and at data.on_unknown_character."};
}

} // namespace trainyard
