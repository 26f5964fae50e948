#include "app/engine/ProposalFiles.h"

#include "core/interop/DetectronProposals.h"

#include <algorithm>

namespace trainyard {

Result<Proposals> readProposalFile(const std::filesystem::path& file) {
    if (!isPickledFile(file))
        return readProposals(file);
    auto images = readDetectronProposals(file);
    if (!images)
        return images.error();
    Proposals proposals;
    for (auto& [image, regions] : *images) {
        std::stable_sort(regions.begin(), regions.end(),
                         [](const DetectronProposal& a, const DetectronProposal& b) { return a.score > b.score; });
        std::vector<Box>& boxes = proposals[image]; // an image may have none
        for (const DetectronProposal& one : regions)
            boxes.push_back({one.box[0], one.box[1], one.box[2] + 1, one.box[3] + 1});
    }
    return proposals;
}

} // namespace trainyard
