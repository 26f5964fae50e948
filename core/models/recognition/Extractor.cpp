#include "core/models/recognition/Extractor.h"

#include "core/models/recognition/WordCnn.h"
#include "core/models/recognition/WordResNet.h"

namespace trainyard {

std::shared_ptr<Extractor> makeExtractor(const AsterConfig& config, const std::string& norm) {
    if (config.extractor == "resnet")
        return std::make_shared<WordResNet>(config, norm);
    TORCH_CHECK(config.extractor == "crnn", "There is no extractor called ", config.extractor, ".");
    return std::make_shared<WordCnn>(config, norm);
}

} // namespace trainyard
