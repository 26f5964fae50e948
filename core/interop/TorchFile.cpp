#include "core/interop/TorchFile.h"

#include "core/interop/OldTorchFile.h"
#include "core/interop/PickleReader.h"
#include "core/interop/PickleTensor.h"
#include "core/interop/PickleWriter.h"
#include "core/interop/StoredZipReader.h"
#include "core/interop/StoredZipWriter.h"

#include <ATen/ATen.h>

#include <cstring>
#include <exception>

namespace trainyard {
namespace {

constexpr std::uint64_t kMaxPickle = 32u << 20;
constexpr const char* kFolder = "archive/";

Error inFile(Error error, const std::filesystem::path& path) {
    error.where = path.string();
    return error;
}

/// Whether this is a tar archive, as torch.save wrote them before PyTorch 0.2.
bool isTar(const InputFile& file) {
    char mark[5] = {};
    return file.readAt(257, mark, sizeof mark) && std::memcmp(mark, "ustar", sizeof mark) == 0;
}

/// The folder inside the zip that holds data.pkl, with its slash; empty where there is none.
std::string archiveFolder(const StoredZipReader& zip) {
    constexpr std::string_view kPickle = "/data.pkl";
    for (const ZipRecord& record : zip.records())
        if (record.name.ends_with(kPickle) && record.name.find('/') == record.name.size() - kPickle.size())
            return record.name.substr(0, record.name.size() - kPickle.size() + 1);
    return {};
}

Result<at::Tensor> loadStorage(const StoredZipReader& zip, const std::string& name, at::ScalarType type,
                               std::int64_t count) {
    const auto damage = [](std::string what) { return Error{ErrorKind::Damaged, std::move(what), "", ""}; };
    const ZipRecord* record = zip.find(name);
    if (!record)
        return damage("The file lacks the record \"" + name + "\".");
    std::uint64_t bytes = 0;
    if (count < 0 || __builtin_mul_overflow(std::uint64_t(count), std::uint64_t(c10::elementSize(type)), &bytes) ||
        bytes != record->size)
        return damage("The record \"" + name + "\" has another size than the tensors in it.");
    at::Tensor elements = at::empty({count}, at::TensorOptions().dtype(type));
    if (auto read = zip.read(*record, elements.data_ptr()); !read)
        return read.error();
    pickle::makeBoolsSound(elements);
    return elements;
}

Result<TorchValue> readZipFile(InputFile file) {
    const std::filesystem::path path = file.path();
    const auto damage = [&](std::string what, std::string remedy) {
        return Error{ErrorKind::Damaged, std::move(what), path.string(), std::move(remedy)};
    };
    auto zip = StoredZipReader::open(std::move(file));
    if (!zip)
        return zip.error();
    const std::string folder = archiveFolder(*zip);
    const ZipRecord* record = folder.empty() ? nullptr : zip->find(folder + "data.pkl");
    if (!record)
        return damage("This zip file was not written by torch.save: it has no data.pkl.", "Choose another file.");
    if (zip->find(folder + "constants.pkl"))
        return damage("This is a TorchScript program, not a file of weights.",
                      "Store the weights alone: torch.save(model.state_dict(), PATH).");
    if (const ZipRecord* order = zip->find(folder + "byteorder")) {
        auto text = zip->readText(*order, 16);
        if (!text)
            return text.error();
        if (*text != "little")
            return damage("The file was written on a big-endian machine.", "Store it again on a little-endian one.");
    }
    auto pickle = zip->readText(*record, kMaxPickle);
    if (!pickle)
        return pickle.error();
    PickleReader reader(*pickle, [&](const std::string& key, at::ScalarType type, std::int64_t count) {
        return loadStorage(*zip, folder + "data/" + key, type, count);
    });
    auto value = reader.read();
    if (!value)
        return inFile(value.error(), path);
    return value;
}

} // namespace

Result<void> writeTorchFile(AtomicFile& file, const TorchValue& value) {
    PickleWriter pickler;
    std::string pickle;
    try {
        pickle = pickler.write(value);
    } catch (const std::exception& failure) {
        return Error{ErrorKind::Unexpected, std::string("The values cannot be stored: ") + failure.what() + ".",
                     file.path().string(), ""};
    }
    const std::string folder = kFolder;
    StoredZipWriter zip(file);
    if (auto added = zip.add(folder + "data.pkl", pickle.data(), pickle.size()); !added)
        return added.error();
    if (auto added = zip.add(folder + "byteorder", "little", 6); !added)
        return added.error();
    const std::vector<at::Tensor>& storages = pickler.storages();
    for (std::size_t i = 0; i < storages.size(); ++i)
        if (auto added = zip.add(folder + "data/" + std::to_string(i), storages[i].data_ptr(), storages[i].nbytes());
            !added)
            return added.error();
    if (auto added = zip.add(folder + "version", "3\n", 2); !added)
        return added.error();
    return zip.finish();
}

Result<TorchValue> readTorchFile(const std::filesystem::path& path) {
    auto file = InputFile::open(path, ErrorKind::Damaged);
    if (!file)
        return file.error();
    try {
        if (isOldTorchFile(*file))
            return readOldTorchFile(*file);
        if (isTar(*file))
            return Error{ErrorKind::Damaged, "This file has the layout of PyTorch before 0.2.", path.string(),
                         "Open it in Python and store it again with torch.save."};
        return readZipFile(std::move(*file));
    } catch (const std::exception& failure) { // no memory, or LibTorch refusing a shape
        return Error{ErrorKind::Damaged, "The file cannot be read: " + std::string(failure.what()).substr(0, 200) + ".",
                     path.string(), ""};
    }
}

} // namespace trainyard
