#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

namespace trainyard {

/// Consecutive tensors of one type and device, sent as one message.
struct TensorBucket {
    std::vector<std::size_t> members; ///< positions in the list
    std::int64_t elements = 0;
};

/// Cuts a list into buckets of about 16 MB; a larger tensor has one of its own. The cuts depend on shapes and types
/// alone, so that every rank makes the same.
std::vector<TensorBucket> cutIntoBuckets(const std::vector<at::Tensor>& tensors);

/// The bucket's values behind each other, in an order that depends on the shapes alone: four-dimensional tensors
/// channels-last, which is how models keep them, others row by row.
at::Tensor packed(const TensorBucket& bucket, const std::vector<at::Tensor>& tensors);
void unpack(const TensorBucket& bucket, const at::Tensor& flat, std::vector<at::Tensor>& tensors);

} // namespace trainyard
