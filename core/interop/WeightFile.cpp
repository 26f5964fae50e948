#include "core/interop/WeightFile.h"

#include "core/interop/OldTorchFile.h"
#include "core/interop/PickleFile.h"
#include "core/interop/SafetensorsFile.h"
#include "core/interop/TorchFile.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <exception>

namespace trainyard {
namespace {

constexpr std::string_view kParallel = "module.", kMomentum = "_momentum";
constexpr int kMaxNesting = 3;

bool holdsTensors(const TorchValue::Dict& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.second.tensor(); });
}

/// The dict of tensors that is meant by "the weights" of `value`; null where there is none.
const TorchValue::Dict* weightsIn(const TorchValue& value, int nesting = 0) {
    if (nesting < kMaxNesting)
        for (const char* key : {"model", "state_dict", "model_state_dict"})
            if (const TorchValue* inner = value.find(key); inner && inner->dict())
                if (const TorchValue::Dict* found = weightsIn(*inner, nesting + 1))
                    return found;
    return value.dict() && holdsTensors(*value.dict()) ? value.dict() : nullptr;
}

WeightList tensorsIn(const TorchValue::Dict& entries) {
    WeightList weights;
    for (const auto& [name, entry] : entries)
        if (const at::Tensor* tensor = entry.tensor())
            weights.emplace_back(name.starts_with(kParallel) ? name.substr(kParallel.size()) : name, *tensor);
    return weights;
}

void takeTorchValue(const TorchValue& value, WeightFile& file) {
    if (const TorchValue::Dict* entries = weightsIn(value))
        file.weights = tensorsIn(*entries);
    if (const TorchValue* preserved = value.find("preserved");
        preserved && preserved->dict() && value.find("trainyard"))
        file.preserved = tensorsIn(*preserved->dict());
}

void takeDetectronValue(const TorchValue& value, WeightFile& file) {
    const TorchValue* blobs = value.find("blobs");
    if (!blobs || !blobs->dict())
        blobs = &value; // before Detectron stored its configuration
    if (!blobs->dict())
        return;
    for (const auto& [name, entry] : *blobs->dict()) {
        const at::Tensor* tensor = entry.tensor(); // blobs may be None
        if (tensor && name.ends_with(kMomentum))
            ++file.optimiserState;
        else if (tensor)
            file.weights.emplace_back(name, *tensor);
    }
    if (const TorchValue* config = value.find("cfg"); config && config->text())
        file.detectronConfig = *config->text();
}

Result<WeightFile> readKnown(const std::filesystem::path& path) {
    const auto input = InputFile::open(path, ErrorKind::Damaged);
    if (!input)
        return input.error();
    WeightFile file;
    if (isSafetensorsFile(*input)) {
        file.format = WeightFormat::Safetensors;
        auto weights = readSafetensorsFile(*input);
        if (!weights)
            return weights.error();
        file.weights = std::move(*weights);
        return file;
    }
    const bool isOld = isOldTorchFile(*input);
    const bool isPickle = !isOld && isPickleFile(*input);
    const auto value = isPickle ? readPickleFile(*input) : readTorchFile(path);
    if (!value)
        return value.error();
    file.format = isPickle ? WeightFormat::Detectron : isOld ? WeightFormat::TorchOld : WeightFormat::TorchZip;
    if (isPickle)
        takeDetectronValue(*value, file);
    else
        takeTorchValue(*value, file);
    return file;
}

} // namespace

const char* formatName(WeightFormat format) {
    switch (format) {
    case WeightFormat::TorchZip:
        return "PyTorch";
    case WeightFormat::TorchOld:
        return "PyTorch before 1.6";
    case WeightFormat::Safetensors:
        return "safetensors";
    case WeightFormat::Detectron:
        return "Detectron";
    }
    return "";
}

Result<WeightFile> readWeightFile(const std::filesystem::path& path) {
    Result<WeightFile> file = Error{};
    try {
        file = readKnown(path);
    } catch (const std::exception& failure) { // no memory, or LibTorch refusing a shape
        return Error{ErrorKind::Damaged, "The file cannot be read: " + std::string(failure.what()).substr(0, 200) + ".",
                     path.string(), "Use another copy of the file."};
    }
    if (file && file->weights.empty())
        return Error{ErrorKind::Damaged, "The file holds no weights.", path.string(),
                     "Store them with torch.save(model.state_dict(), PATH)."};
    return file;
}

Result<void> writeWeightFile(const std::filesystem::path& path, const WeightList& weights) {
    const std::string ending = path.extension().string();
    if (ending != ".pth" && ending != ".pt" && ending != ".safetensors")
        return Error{ErrorKind::Usage, "Weights are written as .pth, .pt or .safetensors.", path.string(),
                     "Name a file with one of these endings."};
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    Result<void> written;
    if (ending == ".safetensors") {
        written = writeSafetensorsFile(*file, weights);
    } else {
        TorchValue::Dict entries;
        for (const auto& [name, tensor] : weights)
            entries.emplace_back(name, TorchValue(tensor));
        written = writeTorchFile(*file, TorchValue(std::move(entries)));
    }
    if (!written)
        return written.error();
    return file->commit();
}

} // namespace trainyard
