#include "core/interop/DetectronProposals.h"

#include "core/interop/PickleFile.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <optional>

namespace trainyard {
namespace {

/// The entries of a list; a NumPy array counts as one along its first axis.
std::optional<std::vector<at::Tensor>> entriesOf(const TorchValue* list) {
    std::vector<at::Tensor> entries;
    if (list && list->tensor() && list->tensor()->dim() > 0)
        return list->tensor()->unbind();
    if (!list || !list->list())
        return std::nullopt;
    for (const TorchValue& one : *list->list())
        if (one.tensor())
            entries.push_back(*one.tensor());
        else if (one.integer())
            entries.push_back(at::scalar_tensor(*one.integer(), at::kLong));
        else
            return std::nullopt;
    return entries;
}

/// The regions of one image; nothing where boxes and scores do not go together.
std::optional<std::vector<DetectronProposal>> regionsOf(const at::Tensor& boxes, const at::Tensor& scores) {
    if (boxes.numel() != 4 * scores.numel() || (boxes.numel() > 0 && (boxes.dim() != 2 || boxes.size(1) != 4)))
        return std::nullopt;
    const at::Tensor corners = boxes.to(at::kFloat).contiguous(), values = scores.to(at::kFloat).contiguous();
    std::vector<DetectronProposal> regions(std::size_t(values.numel()));
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const float* corner = corners.data_ptr<float>() + 4 * i;
        regions[i] = {{corner[0], corner[1], corner[2], corner[3]}, values.data_ptr<float>()[i]};
    }
    return regions;
}

} // namespace

bool isPickledFile(const std::filesystem::path& file) {
    const auto opened = InputFile::open(file, ErrorKind::Data);
    return opened && isPickleFile(*opened);
}

Result<std::map<std::int64_t, std::vector<DetectronProposal>>>
readDetectronProposals(const std::filesystem::path& file) {
    const auto wrong = [&](std::string what) {
        return Error{ErrorKind::Damaged, std::move(what), file.string(),
                     "Proposals of Detectron have boxes, scores and ids, an entry for each image."};
    };
    const auto value = readPickleFile(file);
    if (!value)
        return value.error();
    const TorchValue* names = value->find("ids") ? value->find("ids") : value->find("indexes");
    const auto boxes = entriesOf(value->find("boxes")), scores = entriesOf(value->find("scores")),
               ids = entriesOf(names);
    if (!boxes || !scores || !ids)
        return wrong("The file is no list of proposals.");
    if (boxes->size() != ids->size() || scores->size() != ids->size())
        return wrong(fmt::format("There are {} images, boxes for {} and scores for {}.", ids->size(), boxes->size(),
                                 scores->size()));
    std::map<std::int64_t, std::vector<DetectronProposal>> proposals;
    for (std::size_t i = 0; i < ids->size(); ++i) {
        if ((*ids)[i].numel() != 1 || !at::isIntegralType((*ids)[i].scalar_type(), false))
            return wrong(fmt::format("The id of image {} is no whole number.", i));
        auto regions = regionsOf((*boxes)[i], (*scores)[i]);
        if (!regions)
            return wrong(fmt::format("The boxes and scores of image {} do not go together.", i));
        const auto id = (*ids)[i].item<std::int64_t>();
        if (!proposals.emplace(id, std::move(*regions)).second)
            return wrong(fmt::format("The image {} is listed twice.", id));
    }
    return proposals;
}

} // namespace trainyard
