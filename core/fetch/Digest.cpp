#include "core/fetch/Digest.h"

#include "core/base/InputFile.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>
#include <vector>

namespace trainyard {
namespace {

constexpr std::size_t kMd5Digits = 32, kSha256Digits = 64, kLeastDigits = 8;
constexpr std::string_view kHex = "0123456789abcdef";

} // namespace

std::string Checksum::name() const {
    return (kind == Kind::Md5 ? "MD5 " : "SHA-256 ") + digits;
}

std::optional<Checksum> parseChecksum(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return std::nullopt;
    Checksum checksum;
    for (const char digit : text.substr(equals + 1))
        checksum.digits += digit >= 'A' && digit <= 'F' ? char(digit - 'A' + 'a') : digit;
    const std::string_view kind = text.substr(0, equals);
    const std::size_t count = checksum.digits.size();
    checksum.kind = kind == "md5" ? Checksum::Kind::Md5 : Checksum::Kind::Sha256;
    const bool isWhole = kind == "md5"      ? count == kMd5Digits
                         : kind == "sha256" ? count >= kLeastDigits && count <= kSha256Digits
                                            : false;
    const bool isHex = checksum.digits.find_first_not_of(kHex) == std::string::npos;
    return isWhole && isHex ? std::optional(checksum) : std::nullopt;
}

struct Digest::State {
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Digest::Digest(Checksum::Kind kind) : m_state(std::make_unique<State>()) {
    const EVP_MD* method = kind == Checksum::Kind::Md5 ? EVP_md5() : EVP_sha256();
    if (!m_state->context || EVP_DigestInit_ex(m_state->context.get(), method, nullptr) != 1)
        throw std::bad_alloc();
}

Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(const void* bytes, std::size_t count) {
    EVP_DigestUpdate(m_state->context.get(), bytes, count);
}

std::string Digest::hex() {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned int count = 0;
    EVP_DigestFinal_ex(m_state->context.get(), bytes, &count);
    std::string text;
    for (unsigned int i = 0; i < count; ++i)
        text += {kHex[bytes[i] >> 4], kHex[bytes[i] & 15]};
    return text;
}

Result<std::string> digestOf(const std::filesystem::path& path, Checksum::Kind kind) {
    const auto file = InputFile::open(path, ErrorKind::Damaged);
    if (!file)
        return file.error();
    Digest digest(kind);
    std::vector<char> piece(1 << 20);
    for (std::uint64_t at = 0; at < file->length();) {
        const auto count = std::min<std::uint64_t>(piece.size(), file->length() - at);
        if (!file->readAt(at, piece.data(), count))
            return Error{ErrorKind::Damaged, "The file cannot be read.", path.string(), "Check the disk."};
        digest.add(piece.data(), count);
        at += count;
    }
    return digest.hex();
}

} // namespace trainyard
