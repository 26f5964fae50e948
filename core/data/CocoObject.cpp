#include "core/data/CocoObject.h"

#include "core/data/Geometry.h"
#include "core/telemetry/RunLength.h"

#include <algorithm>

namespace trainyard {
namespace {

using nlohmann::json;

Error malformed(const std::string& what) {
    return {ErrorKind::Data, what, "", ""};
}

bool areNumbers(const json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const json& one) { return one.is_number(); });
}

Result<std::vector<std::vector<Point>>> readPolygons(const json& list, std::vector<std::string>& remarks) {
    std::vector<std::vector<Point>> polygons;
    for (const json& numbers : list) {
        if (!areNumbers(numbers) || numbers.size() % 2)
            return malformed("a polygon is no list of pairs of numbers");
        if (numbers.size() < 6) {
            remarks.emplace_back("has a polygon of fewer than three points, which is left out");
            continue;
        }
        std::vector<Point> polygon;
        for (std::size_t i = 0; i < numbers.size(); i += 2)
            polygon.push_back({numbers[i].get<float>(), numbers[i + 1].get<float>()});
        polygons.push_back(std::move(polygon));
    }
    return polygons;
}

Box boundsOf(const ObjectAnnotation& object) {
    if (object.mask)
        return runlength::bounds(*object.mask);
    Box box{1e30f, 1e30f, -1e30f, -1e30f};
    for (const auto& polygon : object.polygons)
        for (const Point& p : polygon)
            box = {std::min(box.x1, p.x), std::min(box.y1, p.y), std::max(box.x2, p.x), std::max(box.y2, p.y)};
    return object.polygons.empty() ? Box{} : box;
}

Result<void> readShape(const json& entry, ObjectAnnotation& object, std::vector<std::string>& remarks) {
    const auto shape = entry.find("segmentation");
    if (shape == entry.end() || shape->is_null())
        return {};
    if (shape->is_object()) {
        auto mask = runlength::fromJson(*shape);
        if (!mask)
            return malformed(mask.error());
        object.mask = std::move(*mask);
    } else if (shape->is_array()) {
        auto polygons = readPolygons(*shape, remarks);
        if (!polygons)
            return polygons.error();
        object.polygons = std::move(*polygons);
    }
    return {};
}

Result<void> readBox(const json& entry, ObjectAnnotation& object) {
    const auto box = entry.find("bbox");
    if (box == entry.end() || box->is_null()) {
        object.box = boundsOf(object);
        return {};
    }
    if (!areNumbers(*box) || box->size() != 4)
        return malformed("its bbox is not four numbers");
    const double x = (*box)[0].get<double>(), y = (*box)[1].get<double>();
    object.box = {float(x), float(y), float(x + (*box)[2].get<double>()), float(y + (*box)[3].get<double>())};
    return {};
}

Result<void> readKeypoints(const json& entry, ObjectAnnotation& object) {
    const auto list = entry.find("keypoints");
    if (list == entry.end() || list->is_null())
        return {};
    if (!areNumbers(*list) || list->size() % 3)
        return malformed("its keypoints are not triples of numbers");
    for (std::size_t i = 0; i < list->size(); i += 3)
        object.keypoints.push_back({{(*list)[i].get<float>(), (*list)[i + 1].get<float>()},
                                    (*list)[i + 2].get<double>() >= 2   ? 2
                                    : (*list)[i + 2].get<double>() >= 1 ? 1
                                                                        : 0});
    return {};
}

/// COCO's own, unless it is missing or not positive; then that of the shape, then the box's.
double areaOf(const json& entry, const ObjectAnnotation& object) {
    double area = std::max(0.0, numberOr(entry, "area", 0));
    if (area <= 0 && object.mask)
        area = double(runlength::area(*object.mask));
    if (area <= 0)
        for (const auto& polygon : object.polygons)
            area += polygonArea(polygon);
    return area > 0 ? area : object.box.area();
}

} // namespace

Result<ObjectAnnotation> readCocoObject(const json& entry, std::vector<std::string>& remarks) {
    ObjectAnnotation object;
    object.id = entry.contains("id") ? idNumber(entry["id"], 0) : 0;
    const auto crowd = entry.find("iscrowd");
    object.isCrowd = crowd != entry.end() &&
                     (crowd->is_boolean() ? crowd->get<bool>() : crowd->is_number() && crowd->get<double>() != 0);
    if (auto read = readShape(entry, object, remarks); !read)
        return read.error();
    for (auto* step : {readBox, readKeypoints})
        if (auto read = step(entry, object); !read)
            return read.error();
    object.area = areaOf(entry, object);
    return object;
}

} // namespace trainyard
