#include "core/data/Proposals.h"

#include "core/base/Fingerprint.h"
#include "core/base/InputFile.h"
#include "core/base/Json.h"
#include "core/data/ObjectIntake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

namespace trainyard {
namespace {

using nlohmann::json;

struct Scored {
    double score = 0;
    Box box;
};

/// What is wrong with an entry; empty when nothing is.
std::string faultOf(const json& entry) {
    if (!entry.is_object() || !entry.contains("image_id"))
        return "has no image_id";
    const auto box = entry.find("bbox");
    if (box == entry.end() || !box->is_array() || box->size() != 4 ||
        !std::all_of(box->begin(), box->end(), [](const json& side) { return side.is_number(); }))
        return "has no bbox of four numbers";
    if (!entry.contains("score") || !entry["score"].is_number())
        return "has no score";
    return "";
}

Box boxOf(const json& box) {
    const double x = box[0].get<double>(), y = box[1].get<double>();
    return {float(x), float(y), float(x + box[2].get<double>()), float(y + box[3].get<double>())};
}

Box clipped(const Box& box, int width, int height) {
    if (width <= 0 || height <= 0)
        return box;
    const float w = float(width), h = float(height);
    return {std::clamp(box.x1, 0.f, w), std::clamp(box.y1, 0.f, h), std::clamp(box.x2, 0.f, w),
            std::clamp(box.y2, 0.f, h)};
}

std::array<long, 4> rounded(const Box& box) {
    return {std::lrint(box.x1), std::lrint(box.y1), std::lrint(box.x2), std::lrint(box.y2)};
}

} // namespace

Result<Proposals> readProposals(const std::filesystem::path& file) {
    const auto text = readTextFile(file, ErrorKind::Data);
    if (!text)
        return text.error();
    const auto root = parseJson(*text, file.string());
    if (!root)
        return root.error();
    constexpr const char* kRemedy = "Proposals are a list of {image_id, bbox, score}, as COCO's results are.";
    if (!root->is_array())
        return jsonError(*text, file.string(), {}, "The file is " + described(*root) + ", not a list of proposals.",
                         kRemedy);
    std::map<std::int64_t, std::vector<Scored>> scored;
    for (std::size_t i = 0; i < root->size(); ++i) {
        const json& entry = (*root)[i];
        if (const std::string fault = faultOf(entry); !fault.empty())
            return jsonError(*text, file.string(), {std::to_string(i)}, fmt::format("Proposal {} {}.", i, fault),
                             kRemedy);
        scored[idNumber(entry["image_id"], -1)].push_back({entry["score"].get<double>(), boxOf(entry["bbox"])});
    }
    Proposals proposals;
    for (auto& [image, boxes] : scored) {
        std::stable_sort(boxes.begin(), boxes.end(),
                         [](const Scored& a, const Scored& b) { return a.score > b.score; });
        for (const Scored& one : boxes)
            proposals[image].push_back(one.box);
    }
    return proposals;
}

std::vector<Box> cleanProposals(const std::vector<Box>& boxes, int width, int height) {
    constexpr float kSmallest = 2; // pixels
    std::vector<Box> clean;
    std::set<std::array<long, 4>> seen;
    for (const Box& whole : boxes) {
        if (!std::isfinite(whole.x1 + whole.y1 + whole.x2 + whole.y2))
            continue;
        const Box box = clipped(whole, width, height);
        if (box.width() > kSmallest && box.height() > kSmallest && seen.insert(rounded(box)).second)
            clean.push_back(box);
    }
    return clean;
}

DatasetWithProposals::DatasetWithProposals(std::shared_ptr<const Dataset> whole)
    : m_whole(std::move(whole)), m_problems(m_whole->problems()) {}

Result<std::shared_ptr<const Dataset>> DatasetWithProposals::make(std::shared_ptr<const Dataset> whole,
                                                                  const Proposals& proposals, const std::string& file,
                                                                  const DatasetContext& context) {
    std::shared_ptr<DatasetWithProposals> set(new DatasetWithProposals(std::move(whole)));
    const bool dropsUseless = context.isForTraining && context.config.data.onEmpty == "drop";
    std::vector<std::string> missing;
    Tally tally;
    for (std::int64_t i = 0; i < set->m_whole->size(); ++i) {
        const SampleInfo info = set->m_whole->info(i);
        if (const auto found = proposals.find(info.imageId); found != proposals.end())
            set->add(i, info, found->second, dropsUseless, tally);
        else
            missing.push_back(info.id);
    }
    if (!missing.empty())
        return Error{ErrorKind::Data,
                     fmt::format("The proposals are not those of {}: {} of its {} images have none, {} the first.",
                                 set->m_whole->name(), missing.size(), set->m_whole->size(), missing.front()),
                     file, "Make proposals for every image of the set."};
    set->m_problems.push_back(
        {DataProblem::Severity::Note, "",
         fmt::format("{} of {} proposals are used; the others repeat one or are too small. Images of other sets in the "
                     "file: {}. Images with neither object nor proposal, left out: {}.",
                     tally.kept, tally.given, std::int64_t(proposals.size()) - set->m_whole->size(), tally.useless),
         file});
    set->m_fingerprint = set->printOf();
    return std::shared_ptr<const Dataset>(std::move(set));
}

void DatasetWithProposals::add(std::int64_t index, const SampleInfo& info, const std::vector<Box>& boxes,
                               bool dropsUseless, Tally& tally) {
    auto clean = cleanProposals(boxes, info.width, info.height);
    tally.given += std::int64_t(boxes.size());
    tally.kept += std::int64_t(clean.size());
    if (dropsUseless && clean.empty() && !hasObject(info)) {
        ++tally.useless;
        return;
    }
    m_indices.push_back(index);
    m_proposals.push_back(std::move(clean));
}

std::string DatasetWithProposals::printOf() const {
    Fingerprint print;
    print.add(m_whole->fingerprint());
    for (std::size_t i = 0; i < m_indices.size(); ++i) {
        print.add(m_indices[i]);
        for (const Box& box : m_proposals[i])
            for (const float side : {box.x1, box.y1, box.x2, box.y2})
                print.add(std::int64_t(std::bit_cast<std::uint32_t>(side)));
    }
    return print.text();
}

Result<Sample> DatasetWithProposals::sample(std::int64_t index) const {
    auto sample = m_whole->sample(m_indices.at(std::size_t(index)));
    if (sample)
        sample->proposals = m_proposals[std::size_t(index)];
    return sample;
}

} // namespace trainyard
