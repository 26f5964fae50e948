#include "core/interop/OldTorchFile.h"

#include "core/interop/PickleReader.h"
#include "core/interop/PickleTensor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

namespace trainyard {
namespace {

constexpr std::string_view kMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."; // a pickled number
constexpr std::int64_t kProtocol = 1001;
constexpr std::uint64_t kMaxPickles = 32u << 20;

/// One file on its way in: pickle after pickle from its head, then storage after storage.
class OldFile {
public:
    explicit OldFile(const InputFile& file) : m_file(file), m_head(std::min(file.length(), kMaxPickles), '\0') {}

    Result<TorchValue> read() {
        if (!m_file.readAt(0, m_head.data(), m_head.size()))
            return damage("The file cannot be read.");
        m_at = kMagic.size();
        const auto protocol = next();
        if (!protocol)
            return protocol.error();
        if (!protocol->integer() || *protocol->integer() != kProtocol)
            return damage("The file's layout is of a version that is not known.");
        const auto system = next();
        if (!system)
            return system.error();
        const TorchValue* order = system->find("little_endian");
        const auto* isLittle = order ? std::get_if<bool>(&order->content()) : nullptr;
        if (!isLittle || !*isLittle)
            return damage("The file was written on a big-endian machine.");
        auto value = next();
        if (!value)
            return value.error();
        const auto keys = next();
        if (!keys)
            return keys.error();
        if (auto filled = fillStorages(*keys); !filled)
            return filled.error();
        return value;
    }

private:
    Error damage(std::string what) const {
        return {ErrorKind::Damaged, std::move(what), m_file.path().string(), "Use another copy of the file."};
    }

    Result<TorchValue> next() {
        PickleReader reader(std::string_view(m_head).substr(m_at),
                            [this](const std::string& key, at::ScalarType type, std::int64_t count) {
                                return announce(key, type, count);
                            });
        auto value = reader.read();
        if (!value)
            return damage(value.error().what);
        m_at += reader.position();
        return value;
    }

    /// Room for a storage whose elements come behind the pickles; the file must be long enough for all of them.
    Result<at::Tensor> announce(const std::string& key, at::ScalarType type, std::int64_t count) {
        std::uint64_t bytes = 0;
        if (count < 0 || __builtin_mul_overflow(std::uint64_t(count), std::uint64_t(c10::elementSize(type)), &bytes) ||
            bytes > m_file.length() - m_announced)
            return damage("The file is shorter than the tensors in it.");
        m_announced += bytes;
        const at::Tensor elements = at::zeros({count}, at::TensorOptions().dtype(type));
        m_storages.emplace(key, elements);
        return elements;
    }

    Result<void> fillStorages(const TorchValue& keys) {
        std::uint64_t at = m_at;
        std::size_t filled = 0;
        for (const TorchValue& key : keys.list() ? *keys.list() : TorchValue::List()) {
            const auto found = key.text() ? m_storages.find(*key.text()) : m_storages.end();
            std::int64_t count = 0;
            if (found == m_storages.end() || !m_file.readAt(at, &count, sizeof count) || count != found->second.numel())
                return damage("The file describes one storage in two ways.");
            at += sizeof count;
            if (!m_file.readAt(at, found->second.data_ptr(), found->second.nbytes()))
                return damage("The file is shorter than the tensors in it.");
            at += found->second.nbytes();
            pickle::makeBoolsSound(found->second);
            ++filled;
        }
        if (filled != m_storages.size())
            return damage("The file lacks the elements of a tensor.");
        return {};
    }

    const InputFile& m_file;
    std::string m_head;
    std::size_t m_at = 0;
    std::uint64_t m_announced = 0;
    std::map<std::string, at::Tensor> m_storages;
};

} // namespace

bool isOldTorchFile(const InputFile& file) {
    std::string start(kMagic.size(), '\0');
    return file.readAt(0, start.data(), start.size()) && start == kMagic;
}

Result<TorchValue> readOldTorchFile(const InputFile& file) {
    return OldFile(file).read();
}

} // namespace trainyard
