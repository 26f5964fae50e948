#include "core/data/WordIntake.h"

#include <fmt/format.h>

namespace trainyard {

Result<void> WordIntake::add(ListedSample sample, const std::string& transcript) {
    if (!m_ids.insert(sample.info.id).second)
        note(sample.info.id, "The image is listed twice.");
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
