#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace trainyard::roi {

/// The sizes of feature maps [N, C, H, W], as plain numbers.
struct MapSize {
    std::int64_t images, channels, height, width;

    explicit MapSize(at::IntArrayRef sizes) : images(sizes[0]), channels(sizes[1]), height(sizes[2]), width(sizes[3]) {}
    std::int64_t cells() const { return height * width; }
};

/// Throws unless these are feature maps and regions that `name` can work on.
inline void check(const char* name, const at::Tensor& features, const at::Tensor& rois, std::int64_t height,
                  std::int64_t width) {
    TORCH_CHECK(features.dim() == 4, name, ": features must be [N, C, H, W], not ", features.sizes());
    TORCH_CHECK(rois.dim() == 2 && rois.size(1) == 5, name, ": rois must be [R, 5], not ", rois.sizes());
    TORCH_CHECK(features.device() == rois.device(), name, ": features and rois must be on one device");
    TORCH_CHECK(height > 0 && width > 0, name, ": a region needs at least one bin");
    TORCH_CHECK(rois.size(0) == 0 || (features.size(2) > 0 && features.size(3) > 0), name,
                ": there are regions, but the maps have no cells");
    const auto type = features.scalar_type();
    TORCH_CHECK(type == at::kFloat || type == at::kDouble || type == at::kBFloat16, name,
                ": features must be float, double or bfloat16, not ", type);
}

/// The type that is computed with: double for double, float for everything else.
inline at::ScalarType realType(at::ScalarType stored) {
    return stored == at::kDouble ? at::kDouble : at::kFloat;
}

/// `rois` in the type that is computed with; on the CPU every region's image is checked.
inline at::Tensor plainRois(const char* name, const at::Tensor& features, const at::Tensor& rois) {
    const at::Tensor plain = rois.detach().to(realType(features.scalar_type())).contiguous();
    if (!plain.device().is_cpu() || plain.size(0) == 0)
        return plain;
    const at::Tensor images = plain.select(1, 0);
    TORCH_CHECK(images.min().item<double>() >= 0 && images.max().item<double>() < double(features.size(0)), name,
                ": a region names an image that is not in the batch of ", features.size(0));
    return plain;
}

/// Calls `work` with one value of the stored and one of the computing type.
template <class Work>
void withTypes(at::ScalarType stored, const Work& work) {
    if (stored == at::kDouble)
        work(double{}, double{});
    else if (stored == at::kBFloat16)
        work(at::BFloat16{}, float{});
    else
        work(float{}, float{});
}

[[noreturn]] inline void failWithoutKernel(const char* name) {
    TORCH_CHECK(false, name,
                " has no code for this device in this build. Build Trainyard with TRAINYARD_WITH_CUDA, or "
                "set train.device to cpu.");
}

} // namespace trainyard::roi
