#include "core/data/ViewTransforms.h"

#include "core/data/DetectionTransforms.h"
#include "core/data/Geometry.h"
#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {

void MirroredView::apply(Sample& sample, Random&) const {
    const double scale = sample.info.scaleX, offset = sample.info.offsetX;
    mirror(sample);
    sample.info.scaleX = scale;
    sample.info.offsetX = sample.image.width - offset - scale * sample.info.width; // 0 but for a tile of the file
}

void StretchedView::apply(Sample& sample, Random&) const {
    const int width = sample.image.width, height = sample.image.height;
    const int stretched = std::max(1, int(std::lround(width * m_ratio)));
    Image image{stretched, height, sample.image.channels, {}};
    image.pixels.resize(std::size_t(stretched) * std::size_t(height) * std::size_t(image.channels));
    cv::resize(matOf(sample.image), matOf(image), {stretched, height}, 0, 0, cv::INTER_LINEAR);
    sample.image = std::move(image);
    moveObjects(sample, {double(stretched) / width, 0, 1, 0}, stretched, height);
}

} // namespace trainyard
