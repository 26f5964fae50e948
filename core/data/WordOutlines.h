#pragma once

#include "core/base/Error.h"
#include "core/telemetry/Annotation.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// A word in a photo, as its label file has it.
struct OutlinedWord {
    std::vector<Point> outline; ///< corner pixels, in the direction of reading from the top left
    std::string transcript;     ///< "###" where nobody could read it
};

struct OutlinedWords {
    std::vector<OutlinedWord> words;
    std::vector<std::string> problems; ///< sentences that start with the line
};

/// ICDAR's labels of one photo, a word a line: `x1,y1,…,x4,y4,TEXT` (2015 and later; TEXT is all that follows, commas
/// included) or `x1,y1,x2,y2,"TEXT"` (2013; blanks may stand for the commas, and `\"` is a quote).
OutlinedWords readOutlines(std::string_view text);

/// Takes away the script that the multilingual sets write before each text (`…,Latin,TEXT`), if every word of every
/// photo has one.
void dropScripts(std::vector<OutlinedWords>& photos);

/// The label files of photos in `folder` and one folder below: `gt_NAME.txt`, or `NAME.txt` with outlines inside,
/// sorted with numbers by value.
std::vector<std::filesystem::path> outlineFiles(const std::filesystem::path& folder);
/// Whether there are some; stops at the first.
bool hasOutlineFiles(const std::filesystem::path& folder);

/// `outline` itself, or the upright rectangle around it with `margin` × its height of room on each side.
std::vector<Point> withMargin(const std::vector<Point>& outline, double margin);

/// The pixels of a word: the upright rectangle around its outline, corner pixels included, as ICDAR cuts its words.
/// Nothing when that lies outside a picture of `width` by `height`.
struct PixelRectangle {
    int x = 0, y = 0, width = 0, height = 0;
};
std::optional<PixelRectangle> rectangleOf(const std::vector<Point>& outline, int width, int height);

} // namespace trainyard
