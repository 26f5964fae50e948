#pragma once

#include "core/base/Random.h"
#include "core/config/RunConfig.h"
#include "core/data/FontLibrary.h"

#include <opencv2/core.hpp>

#include <string>

namespace trainyard {

/// The word set in one line, tight around its ink: coverage, 8 bits, at the font's size.
cv::Mat setWord(const std::u32string& word, const Font& font, Random& random);

/// That line bent, slanted, put into perspective and scaled: coverage as large as the picture will be.
cv::Mat bendWord(const cv::Mat& line, const RenderedWordsConfig& config, Random& random);

} // namespace trainyard
