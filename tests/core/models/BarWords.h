#pragma once

#include "core/models/Batch.h"
#include "core/models/recognition/CtcAlphabet.h"

#include <ATen/ATen.h>

namespace trainyard::testing {

/// Words of "abcd" as vertical bars of 1 on images 32 x 64 of `background`: letter k is a bar 2 + 2 k pixels wide.
inline Batch barWords(const std::vector<std::string>& words, double background) {
    Batch batch;
    const CtcAlphabet alphabet("abcd");
    batch.images = at::full({std::int64_t(words.size()), 1, 32, 64}, background);
    std::vector<std::int64_t> labels, lengths;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::int64_t x = 4;
        const auto positions = alphabet.encode(words[i]).value();
        for (const std::int64_t position : positions) {
            batch.images[std::int64_t(i)][0].slice(1, x, x + 2 * position).fill_(1.0);
            x += 14;
        }
        labels.insert(labels.end(), positions.begin(), positions.end());
        lengths.push_back(std::int64_t(positions.size()));
        batch.samples.push_back({});
        batch.samples.back().id = words[i];
    }
    batch.targets["labels"] = at::tensor(labels, at::kLong);
    batch.targets["lengths"] = at::tensor(lengths, at::kLong);
    return batch;
}
} // namespace trainyard::testing
