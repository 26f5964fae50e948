#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trainyard {

/// A running 128-bit hash over bytes, for telling whether data changed; not a protection against malice (XXH3).
class Fingerprint {
public:
    Fingerprint();
    Fingerprint(Fingerprint&&) noexcept;
    Fingerprint& operator=(Fingerprint&&) noexcept;
    ~Fingerprint();

    /// Length and bytes, so that ("ab", "c") and ("a", "bc") differ.
    void add(std::string_view bytes);
    void add(std::int64_t number);

    /// 32 hexadecimal digits.
    std::string text() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The fingerprint of one piece of text.
std::string fingerprintOf(std::string_view bytes);

} // namespace trainyard
