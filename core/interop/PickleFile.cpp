#include "core/interop/PickleFile.h"

#include "core/interop/PickleReader.h"

#include <exception>

namespace trainyard {

bool isPickleFile(const InputFile& file) {
    char start[2] = {};
    return file.readAt(0, start, sizeof start) && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

Result<TorchValue> readPickleFile(const InputFile& file) {
    const auto damage = [&](std::string what) {
        return Error{ErrorKind::Damaged, std::move(what), file.path().string(), "Use another copy of the file."};
    };
    try {
        const auto bytes = file.readAll();
        if (!bytes)
            return bytes.error();
        if (!isPickleFile(file))
            return damage("This is no file that Python's pickle wrote, or one of a protocol before 2.");
        PickleReader reader(*bytes);
        auto value = reader.read();
        if (!value)
            return damage(value.error().what);
        return value;
    } catch (const std::exception& failure) { // no memory, or LibTorch refusing a shape
        return damage("The file cannot be read: " + std::string(failure.what()).substr(0, 200) + ".");
    }
}

Result<TorchValue> readPickleFile(const std::filesystem::path& path) {
    const auto file = InputFile::open(path, ErrorKind::Damaged);
    if (!file)
        return file.error();
    return readPickleFile(*file);
}

} // namespace trainyard
