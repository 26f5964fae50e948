#include "core/base/Fingerprint.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace trainyard {

struct Fingerprint::State {
    XXH3_state_t* stream = XXH3_createState();
    ~State() { XXH3_freeState(stream); }
};

Fingerprint::Fingerprint() : m_state(std::make_unique<State>()) { XXH3_128bits_reset(m_state->stream); }
Fingerprint::Fingerprint(Fingerprint&&) noexcept = default;
Fingerprint& Fingerprint::operator=(Fingerprint&&) noexcept = default;
Fingerprint::~Fingerprint() = default;

void Fingerprint::add(std::string_view bytes) {
    add(std::int64_t(bytes.size()));
    XXH3_128bits_update(m_state->stream, bytes.data(), bytes.size());
}

void Fingerprint::add(std::int64_t number) { XXH3_128bits_update(m_state->stream, &number, sizeof number); }

std::string Fingerprint::text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(m_state->stream);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string fingerprintOf(std::string_view bytes) {
    Fingerprint fingerprint;
    fingerprint.add(bytes);
    return fingerprint.text();
}

} // namespace trainyard
