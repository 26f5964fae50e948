#include "core/interop/DetectronFacts.h"

#include <yaml-cpp/yaml.h>

namespace trainyard {
namespace {

/// The value under `key`. Detectron's older files wrap every section in a Python object, whose entries are its
/// "dictitems".
YAML::Node under(const YAML::Node& section, const char* key) {
    if (!section.IsMap())
        return YAML::Node(YAML::NodeType::Undefined);
    if (const YAML::Node inner = section["dictitems"]; inner && inner.IsMap())
        return inner[key];
    return section[key];
}

/// Nothing where the list, flattened, holds anything but numbers.
bool takeNumbers(const YAML::Node& list, std::vector<double>& numbers) {
    if (list.IsScalar()) {
        double number = 0;
        if (!YAML::convert<double>::decode(list, number))
            return false;
        numbers.push_back(number);
        return true;
    }
    if (!list.IsSequence())
        return false;
    for (const auto& item : list)
        if (!takeNumbers(item, numbers))
            return false;
    return true;
}

void takeNumbers(const YAML::Node& list, std::size_t least, std::vector<double>& target) {
    std::vector<double> numbers;
    if (list && takeNumbers(list, numbers) && numbers.size() >= least)
        target = numbers;
}

} // namespace

DetectronFacts detectronFacts(const std::string& yaml) {
    DetectronFacts facts;
    try {
        const YAML::Node root = yaml.empty() ? YAML::Node() : YAML::Load(yaml);
        if (!root.IsMap())
            return facts;
        facts.hasConfig = true;
        const YAML::Node model = under(root, "MODEL"), retinanet = under(root, "RETINANET");
        facts.hasBoxWeights = model && under(model, "BBOX_REG_WEIGHTS").IsDefined();
        if (const YAML::Node means = under(root, "PIXEL_MEANS"))
            takeNumbers(means, 3, facts.pixelMeans);
        facts.pixelMeans.resize(3);
        if (!retinanet)
            return facts;
        takeNumbers(under(retinanet, "ASPECT_RATIOS"), 1, facts.anchorRatios);
        if (const YAML::Node scales = under(retinanet, "SCALES_PER_OCTAVE"))
            YAML::convert<int>::decode(scales, facts.anchorScales);
    } catch (const YAML::Exception&) {
        return {}; // then nothing is known; the weights are what they are
    }
    return facts;
}

} // namespace trainyard
