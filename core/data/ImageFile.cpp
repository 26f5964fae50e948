#include "core/base/AtomicFile.h"
#include "core/data/Dataset.h"
#include "core/data/ImageDecoders.h"
#include "core/data/ImageHeader.h"
#include "core/data/OpenCvImage.h"

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <filesystem>

namespace trainyard {
namespace decoders {

Error damaged(const std::string& name, const std::string& detail) {
    return {ErrorKind::Data, fmt::format("The image is damaged or cut off ({}).", detail.empty() ? "unknown" : detail),
            name, "Replace the file, or set data.on_damaged to skip."};
}

Image overWhite(const Image& image) {
    const int colours = image.channels - 1;
    Image result{image.width, image.height, colours, {}};
    const std::size_t count = std::size_t(image.width) * std::size_t(image.height);
    result.pixels.resize(count * std::size_t(colours));
    const std::uint8_t* from = image.pixels.data();
    std::uint8_t* to = result.pixels.data();
    for (std::size_t i = 0; i < count; ++i, from += image.channels) {
        const int alpha = from[colours];
        for (int c = 0; c < colours; ++c)
            *to++ = std::uint8_t((from[c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    return result;
}

Result<Image> other(std::string_view bytes, const std::string& name, bool isBmp) {
    const cv::Mat raw(1, int(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    cv::Mat pixels;
    try {
        pixels = cv::imdecode(raw, isBmp ? cv::IMREAD_COLOR : cv::IMREAD_UNCHANGED);
    } catch (const cv::Exception& exception) {
        return damaged(name, exception.err);
    }
    if (pixels.empty())
        return damaged(name, "its pixels cannot be decoded");
    if (pixels.depth() == CV_16U)
        pixels.convertTo(pixels, CV_8U, 1.0 / 257.0);
    if (pixels.depth() != CV_8U)
        return Error{ErrorKind::Data, "The image's pixels are neither 8 nor 16 bits wide.", name,
                     "Convert it to 8 bits a channel."};
    if (pixels.channels() == 3)
        cv::cvtColor(pixels, pixels, cv::COLOR_BGR2RGB);
    else if (pixels.channels() == 4)
        cv::cvtColor(pixels, pixels, cv::COLOR_BGRA2RGBA);
    const Image image = imageOf(pixels);
    return image.channels % 2 == 0 ? overWhite(image) : image;
}

} // namespace decoders

namespace {

/// Turns and mirrors the stored picture as EXIF's orientation (2…8) says it is to be looked at.
Image upright(Image image, int orientation) {
    if (orientation <= 1)
        return image;
    cv::Mat pixels = matOf(image), turned;
    if (orientation >= 5) { // 5: mirrored along the diagonal, 6 and 8: quarter turns, 7: along the other diagonal
        cv::transpose(pixels, turned);
        pixels = turned.clone();
    }
    constexpr int kNone = 2;
    constexpr int kFlip[] = {kNone, kNone, 1, -1, 0, kNone, 1, -1, 0}; // OpenCV's codes by orientation
    if (kFlip[orientation] != kNone) {
        cv::flip(pixels, turned, kFlip[orientation]);
        pixels = turned;
    }
    return imageOf(pixels);
}

Result<Image> decodeStored(const std::string& bytes, const ImageHeader& header, const std::string& name,
                           bool wantsGrey) {
    switch (header.kind) {
    case ImageKind::Jpeg:
        return decoders::jpeg(bytes, name, wantsGrey);
    case ImageKind::Png:
        return decoders::png(bytes, name);
    case ImageKind::Bmp:
    case ImageKind::Tiff:
    case ImageKind::WebP:
        return decoders::other(bytes, name, header.kind == ImageKind::Bmp);
    case ImageKind::Unknown:
        break;
    }
    return Error{ErrorKind::Data,
                 bytes.empty() ? "The image file is empty." : "The file is no picture of a known kind.", name,
                 "JPEG, PNG, BMP, TIFF and WebP can be read."};
}

Error tooLarge(const std::string& name, std::int64_t width, std::int64_t height, std::int64_t maxPixels) {
    return {ErrorKind::Data,
            fmt::format("The image has {} x {} pixels, more than the {} allowed.", std::uint32_t(width),
                        std::uint32_t(height), maxPixels),
            name, "Raise data.max_pixels, or make the image smaller."};
}

} // namespace

Result<Image> decodeImage(const std::string& bytes, const std::string& name, int channels, std::int64_t maxPixels) {
    prepareOpenCv();
    const ImageHeader header = readImageHeader(bytes);
    const bool isAbsurd = header.width < 0 || header.height < 0; // beyond 2^31
    if (isAbsurd || (maxPixels > 0 && std::int64_t(header.width) * header.height > maxPixels))
        return tooLarge(name, header.width, header.height, maxPixels);
    auto image = decodeStored(bytes, header, name, channels == 1);
    if (!image)
        return image;
    if (maxPixels > 0 && std::int64_t(image->width) * image->height > maxPixels)
        return tooLarge(name, image->width, image->height, maxPixels);
    Image result = upright(std::move(*image), header.orientation);
    return channels == 0 ? result : withChannels(std::move(result), channels);
}

Result<Image> readImage(const std::string& path, int channels, std::int64_t maxPixels) {
    const auto bytes = readFile(path, ErrorKind::Data);
    if (!bytes)
        return bytes.error();
    return decodeImage(*bytes, path, channels, maxPixels);
}

Result<std::string> encodeImage(const Image& image, const std::string& extension) {
    if (image.isEmpty())
        return Error{ErrorKind::Unexpected, "There is no image to write.", "", ""};
    cv::Mat pixels = matOf(image);
    if (image.channels == 3) {
        cv::Mat swapped;
        cv::cvtColor(pixels, swapped, cv::COLOR_RGB2BGR);
        pixels = swapped;
    }
    std::vector<std::uint8_t> bytes;
    if (!cv::imencode(extension, pixels, bytes))
        return Error{ErrorKind::Unexpected, "The image cannot be encoded.", "", ""};
    return std::string(bytes.begin(), bytes.end());
}

Result<void> writeImage(const std::string& path, const Image& image) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".png" && extension != ".jpg" && extension != ".jpeg")
        return Error{ErrorKind::Usage, "An image is written as .png or .jpg.", path, "Choose one of the two."};
    auto bytes = encodeImage(image, extension);
    if (!bytes) {
        Error error = bytes.error();
        error.where = path;
        return error;
    }
    return writeFile(path, *bytes);
}

Result<std::string> Dataset::encodedImage(std::int64_t index) const {
    const auto one = sample(index);
    if (!one)
        return one.error();
    return encodeImage(one->image, ".png");
}

} // namespace trainyard
