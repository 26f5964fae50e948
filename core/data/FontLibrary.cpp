#include "core/data/FontLibrary.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include FT_FREETYPE_H

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <unordered_map>

namespace trainyard {

/// FreeType's faces are not safe from several threads: each font has its own, behind a lock that is only taken to draw
/// a shape for the first time.
struct Font::Face {
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    std::shared_mutex lock;
    std::unordered_map<char32_t, std::unique_ptr<Glyph>> glyphs;
    std::string file;
    int index = 0;

    std::unique_ptr<Glyph> draw(char32_t character);
    bool open();
};

bool Font::Face::open() {
    if (face)
        return true;
    if (!library && FT_Init_FreeType(&library) != 0)
        return false;
    return FT_New_Face(library, file.c_str(), index, &face) == 0 && FT_Set_Pixel_Sizes(face, 0, kEm) == 0;
}

std::unique_ptr<Glyph> Font::Face::draw(char32_t character) {
    auto glyph = std::make_unique<Glyph>();
    if (!open())
        return glyph;
    const FT_UInt number = FT_Get_Char_Index(face, character);
    if (number == 0 || FT_Load_Glyph(face, number, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0 ||
        FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0)
        return glyph;
    const FT_Bitmap& bitmap = face->glyph->bitmap;
    glyph->left = face->glyph->bitmap_left;
    glyph->top = face->glyph->bitmap_top;
    glyph->width = int(bitmap.width);
    glyph->height = int(bitmap.rows);
    glyph->advance = float(face->glyph->advance.x) / 64.f;
    for (int y = 0; y < glyph->height; ++y) {
        const auto* row = bitmap.buffer + std::ptrdiff_t(y) * bitmap.pitch;
        glyph->coverage.insert(glyph->coverage.end(), row, row + glyph->width);
    }
    return glyph;
}

Font::Font(std::string family, std::string style, std::string file, int index)
    : m_family(std::move(family)), m_style(std::move(style)), m_file(std::move(file)),
      m_face(std::make_unique<Face>()) {
    m_face->file = m_file;
    m_face->index = index;
}

Font::~Font() {
    if (m_face->face)
        FT_Done_Face(m_face->face);
    if (m_face->library)
        FT_Done_FreeType(m_face->library);
}

const Glyph& Font::glyph(char32_t character) const {
    {
        const std::shared_lock reading(m_face->lock);
        if (const auto found = m_face->glyphs.find(character); found != m_face->glyphs.end())
            return *found->second;
    }
    const std::unique_lock writing(m_face->lock);
    auto& place = m_face->glyphs[character];
    if (!place)
        place = m_face->draw(character);
    return *place;
}

bool Font::drawsLetters() const {
    const std::unique_lock writing(m_face->lock);
    char name[64] = "";
    if (!m_face->open())
        return false;
    if (!FT_HAS_GLYPH_NAMES(m_face->face) ||
        FT_Get_Glyph_Name(m_face->face, FT_Get_Char_Index(m_face->face, 'e'), name, sizeof name) != 0)
        return true;
    return !(name[0] == 'a' && name[1] >= '0' && name[1] <= '9');
}

namespace {

struct FontSetDeleter {
    void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};

std::unique_ptr<FcFontSet, FontSetDeleter> installedFonts() {
    static std::mutex lock; // fontconfig's own start is not safe from several threads
    const std::lock_guard guard(lock);
    FcPattern* pattern = FcPatternBuild(nullptr, FC_SCALABLE, FcTypeBool, FcTrue, nullptr);
    FcObjectSet* wanted =
        FcObjectSetBuild(FC_FAMILY, FC_STYLE, FC_FILE, FC_INDEX, FC_CHARSET, FC_LANG, FC_COLOR, nullptr);
    std::unique_ptr<FcFontSet, FontSetDeleter> set(FcFontList(nullptr, pattern, wanted));
    FcObjectSetDestroy(wanted);
    FcPatternDestroy(pattern);
    return set;
}

std::string textOf(FcPattern* pattern, const char* object) {
    FcChar8* text = nullptr;
    return FcPatternGetString(pattern, object, 0, &text) == FcResultMatch ? reinterpret_cast<const char*>(text) : "";
}

/// Symbol fonts put their pictures where letters are; only those that claim English hold Latin letters.
bool holdsLatin(FcPattern* pattern) {
    FcLangSet* languages = nullptr;
    return FcPatternGetLangSet(pattern, FC_LANG, 0, &languages) == FcResultMatch &&
           FcLangSetHasLang(languages, reinterpret_cast<const FcChar8*>("en")) != FcLangDifferentLang;
}

std::u32string missingCharacters(FcPattern* pattern, const std::u32string& characters) {
    FcCharSet* set = nullptr;
    if (FcPatternGetCharSet(pattern, FC_CHARSET, 0, &set) != FcResultMatch)
        return characters;
    std::u32string missing;
    for (const char32_t character : characters)
        if (character != U' ' && !FcCharSetHasChar(set, character))
            missing += character;
    return missing;
}

bool hasLatinLetters(const std::u32string& characters) {
    return std::any_of(characters.begin(), characters.end(),
                       [](char32_t c) { return text::lower(c) >= 'a' && text::lower(c) <= 'z'; });
}

struct Found {
    std::shared_ptr<const Font> font;
    std::u32string missing;
};

/// Every font by family and style; of several files for one face an OpenType one wins over Type 1.
std::map<std::pair<std::string, std::string>, Found> facesByName(const std::u32string& characters) {
    std::map<std::pair<std::string, std::string>, Found> faces;
    const auto set = installedFonts();
    for (int i = 0; set && i < set->nfont; ++i) {
        FcPattern* pattern = set->fonts[i];
        FcBool isColoured = FcFalse;
        FcPatternGetBool(pattern, FC_COLOR, 0, &isColoured);
        if (isColoured || (hasLatinLetters(characters) && !holdsLatin(pattern)))
            continue;
        int index = 0;
        FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
        const std::string file = textOf(pattern, FC_FILE);
        const std::pair name(textOf(pattern, FC_FAMILY), textOf(pattern, FC_STYLE));
        const auto old = faces.find(name);
        const bool isBetter =
            old == faces.end() || (old->second.font->file().ends_with(".t1") && !file.ends_with(".t1")) ||
            (old->second.font->file().ends_with(".t1") == file.ends_with(".t1") && file < old->second.font->file());
        if (isBetter && index < 0x10000) // beyond are named instances of variable fonts
            faces[name] = {std::make_shared<Font>(name.first, name.second, file, index),
                           missingCharacters(pattern, characters)};
    }
    return faces;
}

Error noFont(const std::u32string& fewestMissing) {
    return {ErrorKind::Data,
            fewestMissing.empty() ? std::string("No scalable font is installed that can be used.")
                                  : fmt::format("No font has all characters of the alphabet; the best one lacks {}.",
                                                text::encode(fewestMissing.substr(0, 40))),
            "data.rendered",
            "Install fonts (fonts-dejavu-core), or set data.rendered.alphabet or data.rendered.fonts."};
}

} // namespace

Result<Fonts> findFonts(const std::vector<std::string>& families, const std::vector<std::string>& without,
                        const std::u32string& characters) {
    const auto faces = facesByName(characters);
    std::set<std::string> installed;
    for (const auto& [name, found] : faces)
        installed.insert(name.first);
    for (const auto& list : {families, without})
        for (const std::string& family : list)
            if (!installed.contains(family))
                return Error{ErrorKind::Data, fmt::format("The font family \"{}\" is not installed.", family),
                             "data.rendered",
                             fmt::format("Choose from {}.", text::joined({installed.begin(), installed.end()}, 60))};
    Fonts fonts;
    std::u32string fewest;
    const bool isLatin = hasLatinLetters(characters);
    for (const auto& [name, found] : faces) {
        const bool isWanted =
            families.empty() || std::find(families.begin(), families.end(), name.first) != families.end();
        const bool isHeldOut = std::find(without.begin(), without.end(), name.first) != without.end();
        if (!isWanted || isHeldOut)
            continue;
        if (isLatin && !found.font->drawsLetters())
            continue;
        if (found.missing.empty())
            fonts.push_back(found.font);
        else if (fewest.empty() || found.missing.size() < fewest.size())
            fewest = found.missing;
    }
    if (fonts.empty())
        return noFont(fewest);
    return fonts;
}

} // namespace trainyard
