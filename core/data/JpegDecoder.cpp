#include "core/base/Log.h"
#include "core/data/ImageDecoders.h"

#include <csetjmp>
#include <cstdio>
#include <mutex>
#include <unordered_set>

#include <jpeglib.h>

#include <jerror.h>

namespace trainyard::decoders {
namespace {

/// libjpeg's error manager with a way out. libjpeg fills the rest of a cut-off picture with grey and only warns;
/// that warning is a failure here. A bad code in the middle is a note, as in most readers: the picture is whole in
/// size and may still be good.
struct ErrorManager {
    jpeg_error_mgr base;
    std::jmp_buf wayOut;
    bool hasBadCodes = false;
    char message[JMSG_LENGTH_MAX] = "";
};

[[noreturn]] void fail(j_common_ptr info) {
    auto* manager = reinterpret_cast<ErrorManager*>(info->err);
    manager->base.format_message(info, manager->message);
    std::longjmp(manager->wayOut, 1);
}

void judge(j_common_ptr info, int level) {
    if (level >= 0)
        return; // a trace message
    switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
        fail(info);
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        reinterpret_cast<ErrorManager*>(info->err)->hasBadCodes = true;
        break;
    default: // extraneous bytes, odd JFIF versions: the picture is whole
        break;
    }
}

J_COLOR_SPACE wantedSpace(const jpeg_decompress_struct& info, bool wantsGrey) {
    switch (info.jpeg_color_space) {
    case JCS_GRAYSCALE:
        return JCS_GRAYSCALE;
    case JCS_CMYK:
    case JCS_YCCK:
        return JCS_CMYK;
    default:
        return wantsGrey && info.jpeg_color_space == JCS_YCbCr ? JCS_GRAYSCALE : JCS_RGB;
    }
}

/// Once a file: an image is read again in every epoch.
void warnOnce(const std::string& name) {
    static std::mutex lock;
    static std::unordered_set<std::string> warned;
    const std::lock_guard guard(lock);
    if (warned.insert(name).second)
        log::warn("{}: The JPEG has damaged data inside; parts of the picture may be wrong. Look at it.", name);
}

/// All between setjmp and longjmp: only plain values and what the caller owns.
bool decode(std::string_view bytes, bool wantsGrey, ErrorManager& manager, Image& image, bool& isInverted) {
    jpeg_decompress_struct info;
    info.err = jpeg_std_error(&manager.base);
    manager.base.error_exit = fail;
    manager.base.emit_message = judge;
    manager.base.output_message = [](j_common_ptr) {};
    if (setjmp(manager.wayOut)) {
        jpeg_destroy_decompress(&info);
        return false;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info, TRUE);
    info.out_color_space = wantedSpace(info, wantsGrey);
    jpeg_start_decompress(&info);
    image.width = int(info.output_width);
    image.height = int(info.output_height);
    image.channels = info.output_components;
    image.pixels.resize(std::size_t(image.width) * std::size_t(image.height) * std::size_t(image.channels));
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = image.row(int(info.output_scanline));
        jpeg_read_scanlines(&info, &row, 1);
    }
    isInverted = info.saw_Adobe_marker;
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return true;
}

/// Subtractive to additive: red = white less cyan, less black.
Image fromCmyk(const Image& cmyk, bool isInverted) {
    Image rgb{cmyk.width, cmyk.height, 3, {}};
    rgb.pixels.resize(cmyk.pixels.size() / 4 * 3);
    const int flip = isInverted ? 0 : 255;
    for (std::size_t i = 0; i < cmyk.pixels.size() / 4; ++i) {
        const int light = cmyk.pixels[4 * i + 3] ^ flip;
        for (std::size_t c = 0; c < 3; ++c)
            rgb.pixels[3 * i + c] = std::uint8_t(((cmyk.pixels[4 * i + c] ^ flip) * light + 127) / 255);
    }
    return rgb;
}

} // namespace

Result<Image> jpeg(std::string_view bytes, const std::string& name, bool wantsGrey) {
    ErrorManager manager;
    Image image;
    bool isInverted = false;
    if (!decode(bytes, wantsGrey, manager, image, isInverted))
        return damaged(name, manager.message);
    if (manager.hasBadCodes)
        warnOnce(name);
    if (image.channels == 4)
        return fromCmyk(image, isInverted);
    return image;
}

} // namespace trainyard::decoders
