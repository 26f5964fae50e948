#pragma once

#include "core/base/Error.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

/// What a file must hash to: all hexadecimal digits of its MD5 or SHA-256, or the first ones of the latter.
struct Checksum {
    enum class Kind { Md5, Sha256 } kind = Kind::Sha256;
    std::string digits; ///< lower case

    std::string name() const; ///< "SHA-256 0676ba61"
    bool fits(const std::string& digest) const { return !digits.empty() && digest.starts_with(digits); }
    bool operator==(const Checksum&) const = default;
};

/// "sha256=…" or "md5=…" with as many digits as it has (SHA-256: at least 8); nothing for any other text.
std::optional<Checksum> parseChecksum(std::string_view text);

/// A running MD5 or SHA-256. One thread.
class Digest {
public:
    explicit Digest(Checksum::Kind kind);
    ~Digest();
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;

    void add(const void* bytes, std::size_t count);
    std::string hex(); ///< the end of it; once

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Of a whole file.
Result<std::string> digestOf(const std::filesystem::path& path, Checksum::Kind kind);

} // namespace trainyard
