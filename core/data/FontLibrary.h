#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// A character's shape at `Font::kEm` pixels: coverage row by row, 0…255. `left` and `top` place it at the pen, `top`
/// counting upwards from the base line.
struct Glyph {
    int left = 0, top = 0, width = 0, height = 0;
    float advance = 0;
    std::vector<std::uint8_t> coverage;
};

/// One face of a font file. Shapes are made when first asked for and kept; any thread may ask.
class Font {
public:
    static constexpr int kEm = 52;

    Font(std::string family, std::string style, std::string file, int index);
    ~Font();

    const std::string& family() const { return m_family; }
    const std::string& style() const { return m_style; }
    const std::string& file() const { return m_file; }
    /// Empty for a character that the face lacks. The reference lives as long as the font.
    const Glyph& glyph(char32_t character) const;
    /// False for a face that keeps pictures where letters should be (Zapf Dingbats and its copies name them a1, a2, …).
    bool drawsLetters() const;

private:
    struct Face;
    std::string m_family, m_style, m_file;
    std::unique_ptr<Face> m_face;
};

using Fonts = std::vector<std::shared_ptr<const Font>>;

/// The system's scalable fonts that have every one of `characters`, by family and style. `families` limits them to
/// these names, `without` leaves names out. A name that is not installed, and no font at all, are Data errors.
Result<Fonts> findFonts(const std::vector<std::string>& families, const std::vector<std::string>& without,
                        const std::u32string& characters);

} // namespace trainyard
