#include "app/engine/Views.h"

#include "core/config/PictureScaling.h"
#include "core/data/ViewTransforms.h"

#include <algorithm>

namespace trainyard {

namespace {
/// A view by what it is made from; 0 stands for the usual size.
struct Shape {
    bool isMirrored = false;
    std::int64_t size = 0, maxSize = 0;
    double ratio = 1;
    bool operator==(const Shape&) const = default;
};

/// Detectron's order: mirrored, sizes, shapes; the plain one last.
std::vector<Shape> shapesOf(const ViewsConfig& views) {
    std::vector<Shape> shapes;
    const auto add = [&](Shape shape, bool alsoMirrored) {
        shapes.push_back(shape);
        shape.isMirrored = true;
        if (alsoMirrored)
            shapes.push_back(shape);
    };
    if (views.flip)
        shapes.push_back({.isMirrored = true});
    for (const std::int64_t size : views.scales)
        add({.size = size, .maxSize = views.maxSize}, views.scaleFlip);
    for (const double ratio : views.aspectRatios)
        add({.ratio = ratio}, views.aspectRatioFlip);
    shapes.push_back({});
    return shapes;
}

/// The network's usual input: its square, a multiple of 32, or the length of the shorter side.
std::int64_t usualSize(const RunConfig& config) {
    const PictureScaling scaling = pictureScaling(config, false);
    return scaling.square > 0 ? scaling.square : scaling.scales.front();
}

RunConfig resized(RunConfig config, const Shape& shape) {
    constexpr std::int64_t kStride = 32;
    if (shape.size > 0 && !config.data.resize.scales.empty()) {
        config.data.resize.validationScale = shape.size;
        config.data.resize.validationMaxSize = shape.maxSize;
    } else if (shape.size > 0) // of whichever model it is
        config.model.retinanet.inputSize = config.model.rcnn.inputSize =
            (std::min(shape.size, shape.maxSize) + kStride - 1) / kStride * kStride;
    return config;
}

/// Stretches and mirrors before the usual steps.
class ViewChain final : public Transform {
public:
    ViewChain(const RunConfig& config, const Shape& shape)
        : m_shape(shape), m_rest(makeTransforms(resized(config, shape), taskOf(config.model), false)) {}
    std::string name() const override { return "view"; }
    void apply(Sample& sample, Random& random) const override {
        if (m_shape.ratio != 1)
            StretchedView(m_shape.ratio).apply(sample, random);
        if (m_shape.isMirrored)
            MirroredView().apply(sample, random);
        m_rest.apply(sample, random);
    }

private:
    Shape m_shape;
    TransformChain m_rest;
};
bool contains(const std::vector<Shape>& shapes, const Shape& shape) {
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

PlannedView planned(const Shape& shape, const RunConfig& config) {
    PlannedView view;
    view.view.isMirrored = shape.isMirrored;
    if (shape.size > 0)
        view.view.enlargement = double(std::min(shape.size, shape.maxSize)) / double(usualSize(config));
    auto chain = std::make_shared<TransformChain>();
    chain->add(std::make_unique<ViewChain>(config, shape));
    view.transforms = std::move(chain);
    return view;
}
} // namespace

std::vector<PlannedView> planViews(const RunConfig& config) {
    AugmentConfig augment;
    if (taskOf(config.model) == TaskKind::Detection)
        augment = config.evaluate.augment;
    const auto boxes = shapesOf(augment.boxes), masks = shapesOf(augment.masks), points = shapesOf(augment.keypoints);
    std::vector<Shape> all;
    for (const auto* wanted : {&boxes, &masks, &points})
        for (const Shape& shape : *wanted)
            if (!(shape == Shape()) && !contains(all, shape))
                all.push_back(shape);
    all.push_back({}); // the plain one is wanted by all three
    std::vector<PlannedView> views;
    for (const Shape& shape : all) {
        PlannedView& one = views.emplace_back(planned(shape, config));
        one.view.forBoxes = contains(boxes, shape);
        one.view.forMasks = contains(masks, shape);
        one.view.forKeypoints = contains(points, shape);
    }
    return views;
}

} // namespace trainyard
