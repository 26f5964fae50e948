#include "core/parallel/TensorBuckets.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

constexpr std::int64_t kBucketBytes = 16 << 20;

/// `flat`, seen in the shape of `tensor`.
at::Tensor shapedLike(const at::Tensor& flat, const at::Tensor& tensor) {
    if (tensor.dim() != 4)
        return flat.view(tensor.sizes());
    return flat.view({tensor.size(0), tensor.size(2), tensor.size(3), tensor.size(1)}).permute({0, 3, 1, 2});
}

} // namespace

std::vector<TensorBucket> cutIntoBuckets(const std::vector<at::Tensor>& tensors) {
    std::vector<TensorBucket> buckets;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const at::Tensor& tensor = tensors[i];
        const auto fitsInto = [&](const TensorBucket& bucket) {
            const at::Tensor& first = tensors[bucket.members.front()];
            return first.scalar_type() == tensor.scalar_type() && first.device() == tensor.device() &&
                   (bucket.elements + tensor.numel()) * std::int64_t(tensor.element_size()) <= kBucketBytes;
        };
        if (buckets.empty() || !fitsInto(buckets.back()))
            buckets.emplace_back();
        buckets.back().members.push_back(i);
        buckets.back().elements += tensor.numel();
    }
    return buckets;
}

at::Tensor packed(const TensorBucket& bucket, const std::vector<at::Tensor>& tensors) {
    auto flat = at::empty({bucket.elements}, tensors[bucket.members.front()].options().requires_grad(false));
    std::int64_t offset = 0;
    for (const std::size_t member : bucket.members) {
        const at::Tensor& tensor = tensors[member];
        shapedLike(flat.narrow(0, offset, tensor.numel()), tensor).copy_(tensor.detach());
        offset += tensor.numel();
    }
    return flat;
}

void unpack(const TensorBucket& bucket, const at::Tensor& flat, std::vector<at::Tensor>& tensors) {
    std::int64_t offset = 0;
    for (const std::size_t member : bucket.members) {
        at::Tensor& tensor = tensors[member];
        tensor.detach().copy_(shapedLike(flat.narrow(0, offset, tensor.numel()), tensor));
        offset += tensor.numel();
    }
}

} // namespace trainyard
