#include "core/train/ModelSummary.h"

#include "core/solve/ParameterStatistics.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

NamedPicture pictureOf(const std::string& name, const at::Tensor& tensor) {
    TORCH_CHECK(tensor.dim() == 3 && tensor.scalar_type() == at::kByte && (tensor.size(0) == 1 || tensor.size(0) == 3),
                "A picture of a model's summary is uint8 [1 or 3, H, W].");
    const at::Tensor plain = tensor.permute({1, 2, 0}).to(at::kCPU).contiguous();
    const auto* pixels = plain.data_ptr<std::uint8_t>();
    return {name, int(plain.size(1)), int(plain.size(0)), int(plain.size(2)), {pixels, pixels + plain.numel()}};
}

} // namespace

PictureReport pictureReportOf(const Model::Summary& summary) {
    PictureReport report;
    for (const auto& [name, tensor] : summary.pictures)
        report.pictures.push_back(pictureOf(name, tensor));
    for (const auto& [name, tensor] : summary.values) {
        TensorStatistics statistics = statisticsOf(tensor);
        statistics.negatives = negativesOf(tensor);
        report.values.emplace_back(name, std::move(statistics));
    }
    return report;
}

} // namespace trainyard
