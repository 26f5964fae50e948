#include "core/data/ImageDecoders.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

namespace trainyard::decoders {
namespace {

struct Source {
    std::string_view bytes;
    std::size_t at = 0;
    char message[256] = "";
};

void readBytes(png_structp png, png_bytep target, png_size_t count) {
    auto* source = static_cast<Source*>(png_get_io_ptr(png));
    if (source->bytes.size() - source->at < count)
        png_error(png, "the file ends too early");
    std::memcpy(target, source->bytes.data() + source->at, count);
    source->at += count;
}

[[noreturn]] void fail(png_structp png, png_const_charp message) {
    auto* source = static_cast<Source*>(png_get_error_ptr(png));
    std::snprintf(source->message, sizeof source->message, "%s", message);
    png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {} // about colour profiles and text; the pixels are whole

/// Everything libpng can store becomes 8 bits of grey or RGB, with alpha where there is any.
void askForPlainPixels(png_structp png) {
    png_set_expand(png);
    png_set_scale_16(png);
}

/// All between setjmp and longjmp: only plain values and what the caller owns.
bool decode(Source& source, Image& image, std::vector<png_bytep>& rows) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, fail, ignoreWarning);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (!png || !info || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, nullptr);
        return false;
    }
    png_set_read_fn(png, &source, readBytes);
    png_read_info(png, info);
    askForPlainPixels(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    image.width = int(png_get_image_width(png, info));
    image.height = int(png_get_image_height(png, info));
    image.channels = png_get_channels(png, info);
    image.pixels.resize(png_get_rowbytes(png, info) * std::size_t(image.height));
    rows.resize(std::size_t(image.height));
    for (int y = 0; y < image.height; ++y)
        rows[std::size_t(y)] = image.row(y);
    png_read_image(png, rows.data());
    png_read_end(png, nullptr); // the check sums at the end count too
    png_destroy_read_struct(&png, &info, nullptr);
    return true;
}

} // namespace

Result<Image> png(std::string_view bytes, const std::string& name) {
    Source source{bytes};
    Image image;
    std::vector<png_bytep> rows;
    if (!decode(source, image, rows))
        return damaged(name, source.message);
    return image.channels % 2 == 0 ? overWhite(image) : image;
}

} // namespace trainyard::decoders
