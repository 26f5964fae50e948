#include "core/evaluate/PrecisionCurve.h"

#include "core/evaluate/CsvField.h"
#include "core/evaluate/Metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace trainyard {

std::string curvesAsJson(const std::vector<NamedCurve>& curves) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const NamedCurve& one : curves) {
        const double ap = one.curve.averagePrecision;
        list.push_back({{"type", one.type},
                        {"class", one.name},
                        {"iou", one.iou},
                        {"objects", one.objects},
                        {"ap", isMeasured(ap) ? Json(ap) : Json(nullptr)},
                        {"recall", one.curve.recall},
                        {"precision", one.curve.precision},
                        {"score", one.curve.score}});
    }
    return Json({{"curves", std::move(list)}}).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string curvesAsCsv(const std::vector<NamedCurve>& curves) {
    std::string text = "type,class,iou,recall,precision,score\n";
    for (const NamedCurve& one : curves)
        for (std::size_t i = 0; i < one.curve.recall.size(); ++i)
            text += fmt::format("{},{},{},{},{},{}\n", one.type, csvField(one.name), one.iou, one.curve.recall[i],
                                one.curve.precision[i], one.curve.score[i]);
    return text;
}

} // namespace trainyard
