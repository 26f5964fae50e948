#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/BoxHead.h"
#include "core/models/detection/DetectorBody.h"
#include "core/nn/Convolution.h"
#include "core/nn/Norm.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct ConvolutionBoxHeadShape {
    std::int64_t in = 256, channels = 256, convolutions = 4;
    std::int64_t resolution = 7; ///< of what was pooled
    std::int64_t width = 1024;   ///< of the layer behind them
    std::string norm = "none";   ///< as `makeNorm` names them; with one, convolutions have no bias
};

/// Some 3×3 convolutions and a linear layer, all with ReLU: children "0", "1", …, each with its convolution "0" and
/// norm "1", then the linear layer behind a step that has no values, as torchvision's FastRCNNConvFCHead counts them.
class ConvolutionBoxHead final : public BoxHead {
public:
    explicit ConvolutionBoxHead(const ConvolutionBoxHeadShape& shape);
    torch::Tensor forward(const torch::Tensor& regions) override;
    std::int64_t outputs() const override { return m_width; }

private:
    std::int64_t m_width;
    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::vector<std::shared_ptr<Norm>> m_norms;
    std::shared_ptr<Dense> m_last;
};

/// The last stage of a ResNet at work on each region, and the mean of what comes out: child layer4.
class StageBoxHead final : public BoxHead {
public:
    explicit StageBoxHead(const ResNetShape& shape);
    torch::Tensor maps(const torch::Tensor& regions) { return m_stage->forward(regions); } ///< before the mean
    static torch::Tensor meanOf(const torch::Tensor& maps) { return maps.mean(std::vector<std::int64_t>{2, 3}); }
    torch::Tensor forward(const torch::Tensor& regions) override { return meanOf(maps(regions)); }
    std::int64_t outputs() const override { return m_outputs; }

private:
    std::int64_t m_outputs;
    std::shared_ptr<ResNetStage> m_stage;
};

/// The head that `config.box.head` names, over regions of `body`'s levels. Throws when there is no stage to take.
std::shared_ptr<BoxHead> makeBoxHead(const RcnnConfig& config, const DetectorBody& body);

/// The network whose last stage a head may be; throws for a body without.
const ResNetShape& stageShapeOf(const DetectorBody& body);

} // namespace trainyard
