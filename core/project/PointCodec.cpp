#include "core/project/PointCodec.h"

#include <bit>
#include <memory>
#include <new>
#include <zstd.h>

namespace trainyard {

static_assert(std::endian::native == std::endian::little, "the blobs are little-endian");

namespace {

constexpr int kZstdLevel = 1;
constexpr std::size_t kLargestPayload = 256u << 20; // a damaged length must not ask for all memory

} // namespace

void BlobWriter::integer(std::int64_t value) {
    auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7)
        m_bytes += char(bits | 0x80);
    m_bytes += char(bits);
}

void BlobWriter::planes(std::span<const double> values) {
    const std::size_t start = m_bytes.size();
    m_bytes.resize(start + 8 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = std::bit_cast<std::uint64_t>(values[i]);
        for (std::size_t plane = 0; plane < 8; ++plane)
            m_bytes[start + plane * values.size() + i] = char(bits >> (56 - 8 * plane));
    }
}

std::string BlobWriter::compressed() const {
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    std::string packed(1 + ZSTD_compressBound(m_bytes.size()), '\2');
    const std::size_t size = ZSTD_compressCCtx(context.get(), packed.data() + 1, packed.size() - 1, m_bytes.data(),
                                               m_bytes.size(), kZstdLevel);
    if (ZSTD_isError(size)) // only for want of memory: the bound leaves no other reason
        throw std::bad_alloc();
    packed.resize(1 + size);
    return packed;
}

BlobReader::BlobReader(std::string_view blob) {
    if (!blob.empty() && blob[0] == '\1') {
        m_rest = blob.substr(1);
        return;
    }
    m_isGood = false;
    if (blob.empty() || blob[0] != '\2')
        return;
    const auto size = ZSTD_getFrameContentSize(blob.data() + 1, blob.size() - 1);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestPayload)
        return;
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    m_unpacked.resize(size);
    m_isGood = ZSTD_decompressDCtx(context.get(), m_unpacked.data(), size, blob.data() + 1, blob.size() - 1) == size;
    if (m_isGood)
        m_rest = m_unpacked;
}

std::int64_t BlobReader::integer() {
    std::uint64_t bits = 0;
    for (int shift = 0; m_isGood && shift < 64; shift += 7) {
        std::uint8_t byte = 0;
        raw(&byte, 1);
        bits |= std::uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80)
            return m_isGood ? std::int64_t(bits >> 1) ^ -std::int64_t(bits & 1) : 0;
    }
    m_isGood = false;
    return 0;
}

double BlobReader::real() {
    double value = 0;
    raw(&value, sizeof value);
    return value;
}

bool BlobReader::raw(void* bytes, std::size_t count) {
    if (!m_isGood || count > m_rest.size()) {
        m_isGood = false;
        return false;
    }
    std::memcpy(bytes, m_rest.data(), count);
    m_rest.remove_prefix(count);
    return true;
}

std::vector<double> BlobReader::planes(std::size_t count) {
    std::vector<double> values;
    if (!m_isGood || count > m_rest.size() / 8) {
        m_isGood = false;
        return values;
    }
    values.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t bits = 0;
        for (std::size_t plane = 0; plane < 8; ++plane)
            bits = bits << 8 | static_cast<unsigned char>(m_rest[plane * count + i]);
        values[i] = std::bit_cast<double>(bits);
    }
    m_rest.remove_prefix(8 * count);
    return values;
}

namespace {

// Differences wrap around instead of overflowing, so every iteration survives.
std::int64_t difference(std::int64_t a, std::int64_t b) {
    return std::int64_t(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t sum(std::int64_t a, std::int64_t b) {
    return std::int64_t(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace

std::string encodePoints(std::span<const SeriesPoint> points, bool isCompressed) {
    BlobWriter blob;
    blob.integer(std::int64_t(points.size()));
    std::int64_t previous = 0, step = 0;
    std::vector<double> values;
    values.reserve(points.size());
    for (const SeriesPoint& point : points) {
        const std::int64_t next = difference(point.iteration, previous);
        blob.integer(difference(next, step)); // a steady cadence is a row of zeros
        step = next;
        previous = point.iteration;
        values.push_back(point.value);
    }
    blob.planes(values);
    return isCompressed ? blob.compressed() : blob.plain();
}

std::optional<std::vector<SeriesPoint>> decodePoints(std::string_view data) {
    BlobReader blob(data);
    const std::int64_t count = blob.integer();
    if (!blob.isGood() || count < 0 || std::size_t(count) > blob.left() / 9)
        return std::nullopt;
    std::vector<SeriesPoint> points(static_cast<std::size_t>(count));
    std::int64_t previous = 0, step = 0;
    for (SeriesPoint& point : points) {
        step = sum(step, blob.integer());
        point.iteration = previous = sum(previous, step);
    }
    const auto values = blob.planes(points.size());
    if (!blob.isGood())
        return std::nullopt;
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].value = values[i];
    return points;
}

std::string encodeBuckets(std::span<const SeriesBucket> buckets) {
    BlobWriter blob;
    blob.integer(std::int64_t(buckets.size()));
    std::int64_t previous = 0;
    std::vector<double> reals;
    for (const SeriesBucket& bucket : buckets) {
        blob.integer(difference(bucket.first, previous));
        blob.integer(difference(bucket.last, bucket.first));
        blob.integer(bucket.count);
        blob.integer(bucket.nonFinite);
        previous = bucket.last;
        reals.insert(reals.end(), {bucket.minimum, bucket.maximum, bucket.mean});
    }
    blob.planes(reals);
    return blob.compressed();
}

std::optional<std::vector<SeriesBucket>> decodeBuckets(std::string_view data) {
    BlobReader blob(data);
    const std::int64_t count = blob.integer();
    if (!blob.isGood() || count < 0 || std::size_t(count) > blob.left() / 28)
        return std::nullopt;
    std::vector<SeriesBucket> buckets(static_cast<std::size_t>(count));
    std::int64_t previous = 0;
    for (SeriesBucket& bucket : buckets) {
        bucket.first = sum(previous, blob.integer());
        bucket.last = previous = sum(bucket.first, blob.integer());
        bucket.count = blob.integer();
        bucket.nonFinite = blob.integer();
    }
    const auto reals = blob.planes(3 * buckets.size());
    if (!blob.isGood())
        return std::nullopt;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        buckets[i].minimum = reals[3 * i];
        buckets[i].maximum = reals[3 * i + 1];
        buckets[i].mean = reals[3 * i + 2];
    }
    return buckets;
}

} // namespace trainyard
