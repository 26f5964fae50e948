#include "core/models/detection/Proposals.h"

#include "core/nn/Nms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <tuple>

namespace trainyard {
namespace {

/// Boxes that are still in play, best first within their level.
struct Candidates {
    at::Tensor boxes, scores, levels;

    Candidates at(const at::Tensor& rows) const {
        return {boxes.index_select(0, rows), scores.index_select(0, rows), levels.index_select(0, rows)};
    }
    Candidates where(const at::Tensor& isKept) const { return at(at::nonzero(isKept).squeeze(1)); }
};

/// Rows of one image's best anchors, level by level, and their levels.
std::pair<at::Tensor, at::Tensor> bestRows(const at::Tensor& logits, const std::vector<std::int64_t>& rowsALevel,
                                           std::int64_t most) {
    std::vector<at::Tensor> rows, levels;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < rowsALevel.size(); ++i) {
        const at::Tensor own = logits.slice(0, begin, begin + rowsALevel[i]);
        const at::Tensor order = std::get<1>(at::sort(own, /*stable=*/true, 0, /*descending=*/true));
        const std::int64_t count = most > 0 ? std::min(most, rowsALevel[i]) : rowsALevel[i];
        rows.push_back(order.slice(0, 0, count) + begin);
        levels.push_back(at::full({count}, std::int64_t(i), at::kLong));
        begin += rowsALevel[i];
    }
    return {at::cat(rows), at::cat(levels)};
}

at::Tensor isLargeEnough(const at::Tensor& boxes, const PictureSize& picture, const ProposalRules& rules) {
    const at::Tensor width = boxes.select(1, 2) - boxes.select(1, 0), height = boxes.select(1, 3) - boxes.select(1, 1);
    if (rules.convention == BoxConvention::Torchvision)
        return (width >= rules.leastSize).logical_and(height >= rules.leastSize);
    const double least = std::max(rules.leastSize, 1.0);
    const at::Tensor x = boxes.select(1, 0) + (width + 1) / 2, y = boxes.select(1, 1) + (height + 1) / 2;
    return (width / picture.scale + 1 >= least)
        .logical_and(height / picture.scale + 1 >= least)
        .logical_and(x < picture.width)
        .logical_and(y < picture.height);
}

/// Rows of each level's first `most`, in order. `levels` [K] of candidates that are best first.
at::Tensor firstOfEachLevel(const at::Tensor& levels, std::int64_t most) {
    const std::int64_t* level = levels.data_ptr<std::int64_t>();
    std::vector<std::int64_t> counts, rows;
    for (std::int64_t i = 0; i < levels.size(0); ++i) {
        counts.resize(std::max(counts.size(), std::size_t(level[i]) + 1));
        if (counts[std::size_t(level[i])]++ < most)
            rows.push_back(i);
    }
    return at::tensor(rows, at::kLong);
}

/// All candidates, best first.
Candidates suppressed(const Candidates& all, const ProposalRules& rules) {
    if (rules.convention == BoxConvention::Detectron && rules.nmsIou <= 0)
        return all.at(std::get<1>(at::sort(all.scores, /*stable=*/true, 0, /*descending=*/true)));
    return all.at(batchedNms(all.boxes, all.scores, all.levels, rules.nmsIou, rules.convention));
}

ImageProposals ofImage(const at::Tensor& logits, const at::Tensor& offsets, const at::Tensor& anchors,
                       const std::vector<std::int64_t>& rowsALevel, const PictureSize& picture,
                       const ProposalRules& rules) {
    const auto [rows, levels] = bestRows(logits, rowsALevel, rules.candidatesALevel);
    const BoxCoder coder{{1, 1, 1, 1}, BoxCoder{}.largestLogSize, rules.convention};
    const at::Tensor boxes =
        cutOff(coder.decode(offsets.index_select(0, rows), anchors.index_select(0, rows)), picture, rules.convention);
    Candidates kept{boxes, logits.index_select(0, rows).sigmoid(), levels};
    kept = suppressed(kept.where(isLargeEnough(boxes, picture, rules).logical_and(kept.scores.isfinite())), rules);
    if (rules.convention == BoxConvention::Detectron)
        kept = kept.at(firstOfEachLevel(kept.levels, rules.mostKept));
    return {kept.boxes.slice(0, 0, rules.mostKept), kept.scores.slice(0, 0, rules.mostKept)};
}

/// Leaves the best `most` of all images together.
void shareOut(std::vector<ImageProposals>& images, std::int64_t most) {
    std::vector<std::tuple<float, std::size_t, std::int64_t>> all; // minus score, image, row
    for (std::size_t i = 0; i < images.size(); ++i)
        for (std::int64_t row = 0; row < images[i].scores.size(0); ++row)
            all.emplace_back(-images[i].scores.data_ptr<float>()[row], i, row);
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> counts(images.size(), 0);
    for (std::size_t i = 0; i < std::min(all.size(), std::size_t(most)); ++i)
        ++counts[std::get<1>(all[i])]; // each image's are best first
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i] = {images[i].boxes.slice(0, 0, counts[i]), images[i].scores.slice(0, 0, counts[i])};
}

} // namespace

at::Tensor cutOff(const at::Tensor& boxes, const PictureSize& picture, BoxConvention convention) {
    const double border = convention == BoxConvention::Detectron ? 1 : 0;
    const at::Tensor x = boxes.slice(1, 0, 4, 2).clamp(0, picture.width - border);
    const at::Tensor y = boxes.slice(1, 1, 4, 2).clamp(0, picture.height - border);
    return at::stack({x, y}, 2).reshape({-1, 4}); // x1 y1 x2 y2
}

std::vector<ImageProposals> proposalsOf(const RpnOutput& output, const at::Tensor& anchors,
                                        const std::vector<PictureSize>& pictures, const ProposalRules& rules) {
    const auto plain = [](const at::Tensor& tensor) { return tensor.detach().to(at::kCPU, at::kFloat); };
    const at::Tensor logits = plain(output.logits), offsets = plain(output.offsets), own = plain(anchors);
    std::vector<ImageProposals> images;
    for (std::size_t i = 0; i < pictures.size(); ++i)
        images.push_back(
            ofImage(logits[std::int64_t(i)], offsets[std::int64_t(i)], own, output.rowsALevel, pictures[i], rules));
    if (rules.isSharedByBatch)
        shareOut(images, rules.mostKept);
    for (ImageProposals& image : images)
        image = {image.boxes.to(output.logits.device()), image.scores.to(output.logits.device())};
    return images;
}

} // namespace trainyard
