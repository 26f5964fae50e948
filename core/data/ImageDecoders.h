#pragma once

#include "core/base/Error.h"
#include "core/data/Image.h"

#include <string>
#include <string_view>

/// The decoders behind `decodeImage`, one a file format. Each gives the picture as stored (EXIF not applied), 8 bits,
/// 1 or 3 channels, alpha laid over white; a damaged or truncated file is a Data error about `name`. Any thread.
namespace trainyard::decoders {

/// `wantsGrey` may be used to decode less; the caller still converts. CMYK becomes RGB, Adobe's inverted kind too.
Result<Image> jpeg(std::string_view bytes, const std::string& name, bool wantsGrey);
Result<Image> png(std::string_view bytes, const std::string& name);
/// BMP, TIFF and WebP by OpenCV; `isBmp` ignores the fourth channel, which BMP leaves undefined.
Result<Image> other(std::string_view bytes, const std::string& name, bool isBmp);

/// Lays grey + alpha or RGB + alpha (2 or 4 channels) over white.
Image overWhite(const Image& image);

/// What all of them say of a damaged file; `detail` is the decoder's own word.
Error damaged(const std::string& name, const std::string& detail);

} // namespace trainyard::decoders
