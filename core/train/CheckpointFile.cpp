#include "core/train/CheckpointFile.h"

#include "core/base/AtomicFile.h"
#include "core/interop/TorchFile.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstring>

namespace trainyard {
namespace {

constexpr const char* kModel = "model";
constexpr const char* kOptimizer = "optimizer";
constexpr const char* kAverage = "average";
constexpr const char* kRandom = "random";
constexpr const char* kText = "trainyard";
constexpr const char* kIteration = "iteration";

TorchValue asDict(const NamedTensors& tensors) {
    TorchValue::Dict entries;
    for (const auto& [name, tensor] : tensors)
        entries.emplace_back(name, TorchValue(tensor));
    return TorchValue(std::move(entries));
}

TorchValue asDict(const std::map<std::string, std::string>& texts) {
    TorchValue::Dict entries;
    for (const auto& [key, text] : texts)
        entries.emplace_back(key, TorchValue(text));
    return TorchValue(std::move(entries));
}

Error notOurs(const std::filesystem::path& path, const std::string& what) {
    return {ErrorKind::Damaged, what, path.string(),
            "Choose a checkpoint that a training wrote; weights of others start a new run as model.weights."};
}

Result<NamedTensors> tensorsOf(const TorchValue& root, const char* key, const std::filesystem::path& path) {
    const TorchValue* value = root.find(key);
    if (!value || !value->dict())
        return notOurs(path, fmt::format("The file is no checkpoint of a run: it lacks \"{}\".", key));
    NamedTensors tensors;
    for (const auto& [name, entry] : *value->dict()) {
        if (!entry.tensor())
            return notOurs(path, fmt::format("The entry \"{}\" of \"{}\" is no tensor.", name, key));
        tensors.emplace_back(name, *entry.tensor());
    }
    return tensors;
}

/// Bits, not values: NaN equals NaN, and 0 differs from -0.
bool areSameBits(const NamedTensors& left, const NamedTensors& right) {
    if (left.size() != right.size())
        return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const at::Tensor a = left[i].second.detach().to(at::kCPU).contiguous();
        const at::Tensor b = right[i].second.contiguous();
        if (left[i].first != right[i].first || a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes())
            return false;
        if (a.nbytes() > 0 && std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) != 0)
            return false;
    }
    return true;
}

} // namespace

Result<std::int64_t> writeCheckpoint(const std::filesystem::path& path, const TrainingState& state) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    TorchValue::Dict root{{kModel, asDict(state.model)},
                          {kOptimizer, asDict(state.optimizer)},
                          {kRandom, asDict(state.random)},
                          {kText, asDict(state.text)},
                          {kIteration, TorchValue(state.iteration)}};
    if (!state.average.empty())
        root.emplace_back(kAverage, asDict(state.average));
    if (auto written = writeTorchFile(*file, TorchValue(std::move(root))); !written)
        return written.error();
    auto again = readCheckpoint(file->temporaryPath());
    if (!again || again->iteration != state.iteration || again->text != state.text ||
        !areSameBits(state.model, again->model) || !areSameBits(state.optimizer, again->optimizer) ||
        !areSameBits(state.random, again->random) || !areSameBits(state.average, again->average))
        return Error{ErrorKind::Damaged, "The checkpoint did not read back as it was written; the disk may be failing.",
                     path.string(), "Check the disk; the checkpoints before it are untouched."};
    const auto bytes = std::int64_t(std::filesystem::file_size(file->temporaryPath()));
    if (auto committed = file->commit(); !committed)
        return committed.error();
    return bytes;
}

Result<TrainingState> readCheckpoint(const std::filesystem::path& path) {
    auto root = readTorchFile(path);
    if (!root)
        return root.error();
    TrainingState state;
    for (auto [key, target] : {std::pair{kModel, &state.model}, std::pair{kOptimizer, &state.optimizer},
                               std::pair{kRandom, &state.random}}) {
        auto tensors = tensorsOf(*root, key, path);
        if (!tensors)
            return tensors.error();
        *target = std::move(*tensors);
    }
    if (root->find(kAverage)) {
        auto tensors = tensorsOf(*root, kAverage, path);
        if (!tensors)
            return tensors.error();
        state.average = std::move(*tensors);
    }
    const TorchValue* iteration = root->find(kIteration);
    const TorchValue* texts = root->find(kText);
    if (!iteration || !iteration->integer() || *iteration->integer() < 0 || !texts || !texts->dict())
        return notOurs(path, "The file is no checkpoint of a run: it does not say at which iteration it was made.");
    state.iteration = *iteration->integer();
    for (const auto& [key, value] : *texts->dict())
        if (value.text())
            state.text[key] = *value.text();
    return state;
}

std::string checkpointFileName(std::int64_t iteration) {
    return fmt::format("iteration-{:08}.pth", iteration);
}

} // namespace trainyard
