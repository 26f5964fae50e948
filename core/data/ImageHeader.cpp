#include "core/data/ImageHeader.h"

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace trainyard {
namespace {

/// Numbers at byte offsets, of either byte order. Reading past the end gives nothing.
class ByteView {
public:
    explicit ByteView(std::string_view bytes, bool isBigEndian = true) : m_bytes(bytes), m_isBigEndian(isBigEndian) {}

    std::size_t size() const { return m_bytes.size(); }
    std::optional<std::uint32_t> number(std::size_t at, int width) const {
        if (at > m_bytes.size() || m_bytes.size() - at < std::size_t(width))
            return {};
        std::uint32_t value = 0;
        for (int i = 0; i < width; ++i) {
            const int from = m_isBigEndian ? i : width - 1 - i;
            value = value << 8 | std::uint8_t(m_bytes[at + std::size_t(from)]);
        }
        return value;
    }
    std::uint32_t numberOrZero(std::size_t at, int width) const { return number(at, width).value_or(0); }

private:
    std::string_view m_bytes;
    bool m_isBigEndian;
};

struct TiffTags {
    int width = 0, height = 0, orientation = 1;
};

/// The first directory of a TIFF structure, which is also what an EXIF block holds. Source: TIFF 6.0, section 2.
TiffTags readTiffTags(std::string_view bytes) {
    TiffTags tags;
    if (bytes.size() < 8 || (bytes.substr(0, 2) != "II" && bytes.substr(0, 2) != "MM"))
        return tags;
    const ByteView view(bytes, bytes[0] == 'M');
    const std::size_t directory = view.numberOrZero(4, 4);
    const auto entries = view.number(directory, 2);
    if (view.numberOrZero(2, 2) != 42 || !entries)
        return tags;
    for (std::size_t i = 0; i < *entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        const bool isShort = view.numberOrZero(entry + 2, 2) == 3;
        const auto value = view.number(entry + 8, isShort ? 2 : 4);
        if (!value)
            break;
        switch (view.numberOrZero(entry, 2)) {
        case 0x100:
            tags.width = int(*value);
            break;
        case 0x101:
            tags.height = int(*value);
            break;
        case 0x112:
            tags.orientation = isShort && *value >= 1 && *value <= 8 ? int(*value) : 1;
            break;
        default:
            break;
        }
    }
    return tags;
}

bool isFrame(std::uint32_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Walks the segments up to the frame header. Source: ITU T.81, annex B.
void readJpeg(std::string_view bytes, ImageHeader& header) {
    constexpr std::string_view kExif{"Exif\0\0", 6};
    const ByteView view(bytes);
    bool hasExif = false;
    for (std::size_t at = 2; at + 4 <= bytes.size();) {
        if (view.numberOrZero(at, 1) != 0xFF) { // stray bytes between segments
            ++at;
            continue;
        }
        const auto marker = view.numberOrZero(at + 1, 1);
        if (marker == 0xFF || marker == 0 || marker == 1 || (marker >= 0xD0 && marker <= 0xD8)) {
            at += marker == 0xFF ? 1 : 2;
            continue;
        }
        if (marker == 0xDA || marker == 0xD9)
            return;
        const std::size_t length = view.numberOrZero(at + 2, 2);
        if (isFrame(marker)) {
            header.height = int(view.numberOrZero(at + 5, 2));
            header.width = int(view.numberOrZero(at + 7, 2));
        } else if (marker == 0xE1 && !hasExif && length >= 8 && bytes.substr(at + 4, 6) == kExif) {
            header.orientation = readTiffTags(bytes.substr(at + 10, length - 8)).orientation;
            hasExif = true;
        }
        at += 2 + (length < 2 ? 2 : length);
    }
}

void readPng(std::string_view bytes, ImageHeader& header) {
    const ByteView view(bytes);
    header.width = int(view.numberOrZero(16, 4));
    header.height = int(view.numberOrZero(20, 4));
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
        const std::size_t length = view.numberOrZero(at, 4);
        const auto type = bytes.substr(at + 4, 4);
        if (type == "eXIf")
            header.orientation = readTiffTags(bytes.substr(at + 8, length)).orientation;
        if (type == "eXIf" || type == "IEND")
            return;
        at += 12 + length;
    }
}

void readBmp(std::string_view bytes, ImageHeader& header) {
    const ByteView view(bytes, false);
    const bool isOld = view.numberOrZero(14, 4) == 12;
    header.width = int(view.numberOrZero(18, isOld ? 2 : 4));
    header.height = std::abs(int(view.numberOrZero(isOld ? 20 : 22, isOld ? 2 : 4)));
}

/// Source: the WebP container specification; VP8 key frame header in RFC 6386, section 9.1.
void readWebP(std::string_view bytes, ImageHeader& header) {
    const ByteView view(bytes, false);
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const auto type = bytes.substr(at, 4);
        const std::size_t length = view.numberOrZero(at + 4, 4), data = at + 8;
        if (type == "VP8X") {
            header.width = int(view.numberOrZero(data + 4, 3)) + 1;
            header.height = int(view.numberOrZero(data + 7, 3)) + 1;
        } else if (type == "VP8 " && header.width == 0) {
            header.width = int(view.numberOrZero(data + 6, 2) & 0x3FFF);
            header.height = int(view.numberOrZero(data + 8, 2) & 0x3FFF);
        } else if (type == "VP8L" && header.width == 0) {
            const auto packed = view.numberOrZero(data + 1, 4);
            header.width = int(packed & 0x3FFF) + 1;
            header.height = int(packed >> 14 & 0x3FFF) + 1;
        } else if (type == "EXIF") {
            auto exif = bytes.substr(data, length);
            if (exif.starts_with("Exif"))
                exif.remove_prefix(std::min<std::size_t>(6, exif.size()));
            header.orientation = readTiffTags(exif).orientation;
        }
        at = data + length + (length & 1);
    }
}

ImageKind kindOf(std::string_view bytes) {
    if (bytes.starts_with("\xFF\xD8\xFF"))
        return ImageKind::Jpeg;
    if (bytes.starts_with("\x89PNG\r\n\x1A\n"))
        return ImageKind::Png;
    if (bytes.starts_with("BM"))
        return ImageKind::Bmp;
    if (bytes.starts_with(std::string_view("II*\0", 4)) || bytes.starts_with(std::string_view("MM\0*", 4)))
        return ImageKind::Tiff;
    if (bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP")
        return ImageKind::WebP;
    return ImageKind::Unknown;
}

} // namespace

std::string imageExtension(ImageKind kind) {
    switch (kind) {
    case ImageKind::Jpeg:
        return "jpg";
    case ImageKind::Png:
        return "png";
    case ImageKind::Bmp:
        return "bmp";
    case ImageKind::Tiff:
        return "tif";
    case ImageKind::WebP:
        return "webp";
    case ImageKind::Unknown:
        break;
    }
    return "";
}

ImageHeader readImageHeader(std::string_view bytes) {
    ImageHeader header;
    header.kind = kindOf(bytes);
    if (header.kind == ImageKind::Jpeg)
        readJpeg(bytes, header);
    else if (header.kind == ImageKind::Png)
        readPng(bytes, header);
    else if (header.kind == ImageKind::Bmp)
        readBmp(bytes, header);
    else if (header.kind == ImageKind::WebP)
        readWebP(bytes, header);
    else if (header.kind == ImageKind::Tiff) {
        const TiffTags tags = readTiffTags(bytes); // the decoder turns TIFF itself
        header.width = tags.width;
        header.height = tags.height;
    }
    return header;
}

} // namespace trainyard
