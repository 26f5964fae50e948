#include "core/nn/ThinPlateSpline.h"

#include <torch/nn/module.h>

#include <numbers>
#include <string>

namespace trainyard {
namespace {

constexpr double kAwayFromZero = 1e-6; // in the logarithm, for pixels that lie on a control point

at::Tensor evenly(double from, double to, std::int64_t count) {
    return at::linspace(from, to, count, at::kDouble);
}

/// An upper and a lower row over the same x: [2 × x, 2].
at::Tensor twoRows(const at::Tensor& x, const at::Tensor& upper, const at::Tensor& lower) {
    return at::stack({at::cat({x, x}), at::cat({upper, lower})}, 1);
}

/// Distance of every row of `a` from every row of `b`: [A, B].
at::Tensor distances(const at::Tensor& a, const at::Tensor& b) {
    return (a.unsqueeze(1) - b.unsqueeze(0)).square().sum(2).sqrt();
}

/// What a spline is made of at `points`, [P, 2]: one, x, y and its bending towards each control point: [P, 3 + K].
at::Tensor lifted(const at::Tensor& points, const at::Tensor& bending) {
    return at::cat({at::ones({points.size(0), 1}, points.options()), points, bending}, 1);
}

at::Tensor pixelCentres(std::int64_t height, std::int64_t width) {
    const at::Tensor x = (at::arange(width, at::kDouble) + 0.5) / double(width);
    const at::Tensor y = (at::arange(height, at::kDouble) + 0.5) / double(height);
    const at::Tensor columns = x.expand({height, width}), rows = y.unsqueeze(1).expand({height, width});
    return at::stack({columns.reshape(-1), rows.reshape(-1)}, 1);
}

} // namespace

at::Tensor ControlPoints::canonical() const {
    TORCH_CHECK(count >= 4 && count % 2 == 0, "Control points come in two rows of at least two.");
    const at::Tensor x = evenly(marginX, 1 - marginX, count / 2);
    return twoRows(x, at::full_like(x, marginY), at::full_like(x, 1 - marginY));
}

at::Tensor ControlPoints::pattern(std::string_view name) const {
    const at::Tensor points = canonical(), x = points.select(1, 0).slice(0, 0, count / 2);
    if (name == "identity")
        return points;
    if (name == "slope")
        return twoRows(x, evenly(marginY, 0.3, count / 2), evenly(0.7, 1 - marginY, count / 2));
    TORCH_CHECK(name == "sine", "There is no pattern of control points called ", std::string(name), ".");
    const at::Tensor wave = 0.2 * at::sin(2 * std::numbers::pi * x);
    return twoRows(x, 0.25 + wave, 0.75 + wave);
}

at::Tensor thinPlateBasis(const at::Tensor& fixedPoints, std::int64_t height, std::int64_t width) {
    const std::int64_t count = fixedPoints.size(0);
    const at::Tensor between = distances(fixedPoints, fixedPoints);
    const at::Tensor bending = at::xlogy(between.square(), between); // 0 on the diagonal
    const at::Tensor corner = at::zeros({3, 3}, fixedPoints.options());
    const at::Tensor sides = at::cat({fixedPoints, at::ones({count, 1}, fixedPoints.options())}, 1).t();
    const at::Tensor delta = at::cat({lifted(fixedPoints, bending), at::cat({corner, sides}, 1)}, 0);

    const at::Tensor pixels = pixelCentres(height, width), away = distances(pixels, fixedPoints);
    const at::Tensor bent = away.square() * (away + kAwayFromZero).log();
    // the spline's last three equations are zero whatever the points: their columns never count
    return at::matmul(lifted(pixels, bent), at::inverse(delta).slice(1, 0, count)).contiguous();
}

} // namespace trainyard
