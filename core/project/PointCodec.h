#pragma once

#include "core/project/Series.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

// How points, buckets and statistics become the blobs of series.sqlite. A blob is one byte, 1 (plain) or 2 (zstd),
// and the payload: numbers little-endian, integers as variable-length zigzag differences. Decoding checks every length
// and gives nothing for a damaged blob.

/// Bytes of a payload under construction.
class BlobWriter {
public:
    void integer(std::int64_t value); ///< variable length, small magnitudes short
    void real(double value) { raw(&value, sizeof value); }
    void raw(const void* bytes, std::size_t count) { m_bytes.append(static_cast<const char*>(bytes), count); }
    /// The eighth bytes of all values, then the seventh …: neighbours share signs and exponents, which zstd likes.
    void planes(std::span<const double> values);
    std::string plain() const { return '\1' + m_bytes; }
    std::string compressed() const;

private:
    std::string m_bytes;
};

/// Reads a payload back; after a failure `isGood` is false and everything read is zero.
class BlobReader {
public:
    explicit BlobReader(std::string_view blob);
    std::int64_t integer();
    double real();
    bool raw(void* bytes, std::size_t count);
    std::vector<double> planes(std::size_t count);
    bool isGood() const { return m_isGood; }
    std::size_t left() const { return m_rest.size(); }

private:
    std::string m_unpacked;
    std::string_view m_rest;
    bool m_isGood = true;
};

std::string encodePoints(std::span<const SeriesPoint> points, bool isCompressed);
std::optional<std::vector<SeriesPoint>> decodePoints(std::string_view blob);

std::string encodeBuckets(std::span<const SeriesBucket> buckets);
std::optional<std::vector<SeriesBucket>> decodeBuckets(std::string_view blob);

} // namespace trainyard
