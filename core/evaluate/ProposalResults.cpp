#include "core/evaluate/ProposalResults.h"

#include "core/evaluate/CocoAnnotations.h"
#include "core/evaluate/CocoJson.h"

#include <algorithm>

namespace trainyard {

std::string proposalResults(const std::vector<ImageDetections>& images) {
    std::string text = "[";
    for (const ImageDetections& image : images) {
        std::vector<const Detection*> best;
        for (const Detection& proposal : image.detections)
            best.push_back(&proposal);
        std::stable_sort(best.begin(), best.end(), [](const auto* a, const auto* b) { return a->score > b->score; });
        for (const Detection* proposal : best) {
            const nlohmann::ordered_json object = {{"image_id", image.imageId},
                                                   {"bbox", cocojson::boxJson(proposal->box)},
                                                   {"score", cocojson::widened(proposal->score)}};
            text += (text.size() > 1 ? ",\n" : "\n") + object.dump();
        }
    }
    return text + "\n]\n";
}

Result<ProposalScore> scoreProposals(const std::filesystem::path& results, const std::filesystem::path& annotations) {
    auto known = cocojson::readAnnotations(annotations, CocoType::Boxes);
    if (!known)
        return known.error();
    ProposalScore score;
    const auto read = cocojson::readEntries(results, [&](const auto& file, cocojson::Position& position) {
        const char* listName = "";
        const auto& list = cocojson::resultsIn(file, listName);
        for (std::size_t i = 0; i < list.size(); ++i) {
            position.enter("Result", listName, i);
            const auto image = cocojson::imageOf(list[i], *known);
            const auto& size = known->sizes[image];
            known->images[image].findings.push_back(
                cocojson::findingOf(list[i], CocoType::Boxes, size.width, size.height));
            ++score.proposals;
        }
    });
    if (!read)
        return read.error();
    ProposalRecall recall;
    for (const auto& image : known->images)
        recall.add(image);
    score.images = recall.images();
    score.metrics = recall.metrics();
    return score;
}

} // namespace trainyard
