#include "core/interop/SafetensorsFile.h"

#include "core/base/Json.h"
#include "core/interop/PickleTensor.h"
#include "core/interop/StorageTypes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace trainyard {
namespace {

constexpr std::uint64_t kLengthSize = 8;
constexpr std::uint64_t kMaxHead = 100'000'000; // the format's own limit
constexpr std::size_t kMaxDimensions = 32;
constexpr const char* kMetadata = "__metadata__";

struct ElementName {
    at::ScalarType type;
    std::string_view name;
};
constexpr ElementName kElements[] = {
    {at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kHalf, "F16"}, {at::kBFloat16, "BF16"}, {at::kLong, "I64"},
    {at::kInt, "I32"},   {at::kShort, "I16"},  {at::kChar, "I8"},  {at::kByte, "U8"},       {at::kBool, "BOOL"},
};

Error damage(const InputFile& file, std::string what) {
    return {ErrorKind::Damaged, std::move(what), file.path().string(), "Use another copy of the file."};
}

/// One tensor as the head describes it; offsets count from the head's end.
struct Entry {
    std::string name;
    at::ScalarType type = at::kFloat;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;
};

/// Nothing where the list holds anything but whole numbers that are not negative.
std::optional<std::vector<std::int64_t>> countsOf(const nlohmann::json& list) {
    std::vector<std::int64_t> counts;
    if (!list.is_array())
        return std::nullopt;
    for (const auto& count : list) {
        if (!count.is_number_unsigned() || count.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
            return std::nullopt;
        counts.push_back(count.get<std::int64_t>());
    }
    return counts;
}

Result<Entry> entryOf(const InputFile& file, const std::string& name, const nlohmann::json& described) {
    const auto malformed = [&] {
        return damage(file, "The file's description of the tensor \"" + name + "\" is malformed.");
    };
    if (!described.is_object() || !described.contains("dtype") || !described["dtype"].is_string() ||
        !described.contains("shape") || !described.contains("data_offsets"))
        return malformed();
    const std::string type = described["dtype"];
    const auto element = std::find_if(std::begin(kElements), std::end(kElements),
                                      [&](const ElementName& known) { return known.name == type; });
    if (element == std::end(kElements))
        return damage(file, "The tensor \"" + name + "\" is of the type \"" + type + "\", which is not read.");
    const auto shape = countsOf(described["shape"]), offsets = countsOf(described["data_offsets"]);
    if (!shape || shape->size() > kMaxDimensions || !offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
        return malformed();
    std::uint64_t bytes = c10::elementSize(element->type);
    for (const std::int64_t extent : *shape)
        if (__builtin_mul_overflow(bytes, std::uint64_t(extent), &bytes))
            return malformed();
    Entry entry{name, element->type, *shape, std::uint64_t((*offsets)[0]), std::uint64_t((*offsets)[1])};
    if (bytes != entry.end - entry.begin)
        return damage(file, "The tensor \"" + name + "\" has another size than its shape says.");
    return entry;
}

/// The tensors in the order of their bytes, which they share among them without holes.
Result<std::vector<Entry>> entriesOf(const InputFile& file, const nlohmann::json& head, std::uint64_t bytes) {
    if (!head.is_object())
        return damage(file, "The file's head is malformed.");
    std::vector<Entry> entries;
    for (const auto& [name, described] : head.items()) {
        if (name == kMetadata)
            continue;
        auto entry = entryOf(file, name, described);
        if (!entry)
            return entry.error();
        entries.push_back(std::move(*entry));
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t at = 0;
    for (const Entry& entry : entries) {
        if (entry.begin != at)
            return damage(file, "The tensor \"" + entry.name + "\" does not lie behind the one before it.");
        at = entry.end;
    }
    if (at != bytes)
        return damage(file, at > bytes ? "The file is shorter than the tensors in it."
                                       : "The file is longer than the tensors in it.");
    return entries;
}

} // namespace

bool isSafetensorsFile(const InputFile& file) {
    std::uint64_t length = 0;
    char first = 0;
    return file.readAt(0, &length, sizeof length) && length <= kMaxHead && file.readAt(kLengthSize, &first, 1) &&
           first == '{';
}

Result<WeightList> readSafetensorsFile(const InputFile& file) {
    std::uint64_t length = 0;
    if (!file.readAt(0, &length, sizeof length) || length > kMaxHead || length > file.length() - kLengthSize)
        return damage(file, "The file is shorter than its head.");
    std::string text(length, '\0');
    if (!file.readAt(kLengthSize, text.data(), length))
        return damage(file, "The file cannot be read.");
    const auto head = parseJson(text, file.path().string(), ErrorKind::Damaged);
    if (!head)
        return damage(file, "The file's head is no JSON.");
    const std::uint64_t start = kLengthSize + length;
    const auto entries = entriesOf(file, *head, file.length() - start);
    if (!entries)
        return entries.error();
    WeightList weights;
    for (const Entry& entry : *entries) {
        at::Tensor values = at::empty(entry.shape, at::TensorOptions().dtype(entry.type));
        if (values.nbytes() > 0 && !file.readAt(start + entry.begin, values.data_ptr(), values.nbytes()))
            return damage(file, "The file cannot be read.");
        pickle::makeBoolsSound(values);
        weights.emplace_back(entry.name, std::move(values));
    }
    return weights;
}

Result<void> writeSafetensorsFile(AtomicFile& file, const WeightList& weights) {
    const auto refuse = [&](std::string what) {
        return Error{ErrorKind::Usage, std::move(what), file.path().string(), "Write a .pth file instead."};
    };
    nlohmann::ordered_json head;
    head[kMetadata] = {{"format", "pt"}};
    std::vector<at::Tensor> values;
    std::unordered_set<std::string> names;
    std::uint64_t at = 0;
    for (const auto& [name, tensor] : weights) {
        const auto* element = std::find_if(std::begin(kElements), std::end(kElements), [&](const ElementName& known) {
            return known.type == tensor.scalar_type();
        });
        if (element == std::end(kElements))
            return refuse(std::string("Safetensors files hold no tensors of the type ") +
                          c10::toString(tensor.scalar_type()) + ".");
        if (name == kMetadata || !names.insert(name).second)
            return refuse("Two tensors of a safetensors file cannot both be called \"" + name + "\".");
        values.push_back(tensor.detach().to(at::kCPU).contiguous());
        const std::uint64_t end = at + values.back().nbytes();
        head[name] = {{"dtype", element->name}, {"shape", tensor.sizes().vec()}, {"data_offsets", {at, end}}};
        at = end;
    }
    std::string text = head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' '); // so that tensors begin at multiples of 8
    const std::uint64_t length = text.size();
    if (auto written = file.write(&length, sizeof length); !written)
        return written.error();
    if (auto written = file.write(text); !written)
        return written.error();
    for (const at::Tensor& tensor : values)
        if (auto written = file.write(tensor.data_ptr(), tensor.nbytes()); !written)
            return written.error();
    return {};
}

} // namespace trainyard
