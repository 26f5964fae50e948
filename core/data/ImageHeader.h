#pragma once

#include <string>
#include <string_view>

namespace trainyard {

enum class ImageKind { Unknown, Jpeg, Png, Bmp, Tiff, WebP };
/// "jpg", "png", "bmp", "tif", "webp"; empty for an unknown kind.
std::string imageExtension(ImageKind kind);

/// What an image file says of itself before anything is decoded. The kind comes from its first bytes, never its name.
struct ImageHeader {
    ImageKind kind = ImageKind::Unknown;
    int width = 0, height = 0; ///< as stored, before EXIF turns it; 0 where the header does not say
    int orientation = 1;       ///< EXIF: 1…8; 1 where it is missing, damaged or applied by the decoder (TIFF)

    /// Orientations 5…8 swap the sides.
    bool isTurned() const { return orientation >= 5; }
};

/// Never fails: what cannot be read stays at its default.
ImageHeader readImageHeader(std::string_view bytes);

} // namespace trainyard
