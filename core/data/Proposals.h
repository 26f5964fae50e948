#pragma once

#include "core/data/Dataset.h"

#include <map>
#include <memory>

namespace trainyard {

/// Regions that some network found in the images of one dataset, by COCO's image id, best first; in pixels of the file.
using Proposals = std::map<std::int64_t, std::vector<Box>>;

/// Reads a file in COCO's results format: a list of {image_id, bbox, score}; `category_id` is of no account. A Data
/// error names file, line and entry.
Result<Proposals> readProposals(const std::filesystem::path& file);

/// The boxes that a training set takes: cut off at the image of `width` × `height` pixels (0: unknown, not cut),
/// without those that round to the same pixels as one before and those of 2 pixels or less in either direction; the
/// order stays. Source: Detectron's rules for proposals.
std::vector<Box> cleanProposals(const std::vector<Box>& boxes, int width, int height);

/// A dataset whose samples come with proposals. Immutable; any thread.
class DatasetWithProposals final : public Dataset {
public:
    /// A Data error where the proposals lack an image of the dataset: then they are another set's, or an older one's.
    /// `file` is named in it. What is left out is noted in `problems()`; images without object and proposal are left
    /// out of training where `data.on_empty` is drop.
    static Result<std::shared_ptr<const Dataset>> make(std::shared_ptr<const Dataset> whole, const Proposals& proposals,
                                                       const std::string& file, const DatasetContext& context);

    TaskKind task() const override { return m_whole->task(); }
    std::string name() const override { return m_whole->name(); }
    std::string format() const override { return m_whole->format(); }
    std::int64_t size() const override { return std::int64_t(m_indices.size()); }
    const std::vector<std::string>& classes() const override { return m_whole->classes(); }
    std::vector<std::int64_t> categoryIds() const override { return m_whole->categoryIds(); }
    SampleInfo info(std::int64_t index) const override { return m_whole->info(m_indices.at(std::size_t(index))); }
    Result<Sample> sample(std::int64_t index) const override;
    Result<std::string> encodedImage(std::int64_t index) const override {
        return m_whole->encodedImage(m_indices.at(std::size_t(index)));
    }
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return m_fingerprint; }

private:
    struct Tally {
        std::int64_t given = 0, kept = 0, useless = 0;
    };
    explicit DatasetWithProposals(std::shared_ptr<const Dataset> whole);
    void add(std::int64_t index, const SampleInfo& info, const std::vector<Box>& boxes, bool dropsUseless,
             Tally& tally);
    std::string printOf() const;

    std::shared_ptr<const Dataset> m_whole;
    std::vector<std::int64_t> m_indices;       ///< in the whole set
    std::vector<std::vector<Box>> m_proposals; ///< of each index
    std::vector<DataProblem> m_problems;
    std::string m_fingerprint;
};

} // namespace trainyard
