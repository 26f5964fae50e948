#pragma once

#include "core/base/Random.h"
#include "core/config/RunConfig.h"
#include "core/data/FontLibrary.h"
#include "core/data/Image.h"

#include <string>
#include <vector>

namespace trainyard {

/// Draws a word as a camera might have caught it: a font, spacing, slant, bend and perspective, colours apart enough to
/// be read, a background, now and then a shadow, an outline or a line nearby, then blur and noise. Immutable; any
/// thread.
class WordPainter {
public:
    /// `channels` is 1 or 3. `pictures` are backgrounds of as many channels; empty draws gradients and textures.
    WordPainter(const RenderedWordsConfig& config, int channels, Fonts fonts, std::vector<Image> pictures);

    /// The picture is a function of `word` and the state of `random` alone.
    Image paint(const std::u32string& word, Random& random) const;

private:
    RenderedWordsConfig m_config;
    int m_channels;
    Fonts m_fonts;
    std::vector<Image> m_pictures;
};

} // namespace trainyard
