// Gupta et al. 2016, "Synthetic Data for Text Localisation in Natural Images": gt.mat and its photos.
#include "core/base/Text.h"
#include "core/data/MatFile.h"
#include "core/data/WordIntake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr double kRoom = 0.1;               ///< around a word, of the root of its area
constexpr std::size_t kPointsAnEdge = 64;   ///< of an outline
constexpr std::size_t kQuadNumbers = 2 * 4; ///< x and y of four corners

/// Corner `corner` of quadrilateral `number`, of an array 2 x 4 x N.
Point cornerOf(const MatValue& quads, std::size_t number, std::size_t corner) {
    const std::size_t at = number * kQuadNumbers + corner * 2;
    return {quads.numbers[at], quads.numbers[at + 1]};
}

std::size_t quadsIn(const MatValue& value) {
    return value.sizes.size() >= 2 && value.sizes[0] == 2 && value.sizes[1] == 4 ? value.numbers.size() / kQuadNumbers
                                                                                 : 0;
}

/// The words of a photo's texts: lines, parted by blanks.
std::vector<std::string> wordsOf(const MatValue& texts) {
    std::vector<std::string> words;
    for (const std::string& text : texts.allTexts()) {
        std::istringstream stream(text);
        for (std::string word; stream >> word;)
            words.push_back(word);
    }
    return words;
}

/// The parabola y = a + b x + c x² with the least squares through `points`, its middle of x taken as 0; a straight line
/// where they are two or stand above each other.
struct Parabola {
    double middle = 0, a = 0, b = 0, c = 0;
    double at(double x) const { return a + (x - middle) * (b + (x - middle) * c); }
};

Parabola parabolaThrough(const std::vector<Point>& points) {
    Parabola curve;
    for (const Point& point : points)
        curve.middle += double(point.x) / double(points.size());
    std::array<double, 5> s{}; // sums of the powers of x
    std::array<double, 3> t{}; // and of y times them
    for (const Point& point : points)
        for (std::size_t power = 0; power < s.size(); ++power) {
            const double value = std::pow(double(point.x) - curve.middle, double(power));
            s[power] += value;
            if (power < t.size())
                t[power] += value * double(point.y);
        }
    // s[1] is 0: b stands alone but for s[3]
    const double determinant = s[0] * (s[2] * s[4] - s[3] * s[3]) - s[2] * s[2] * s[2];
    const bool isCurved = points.size() > 2 && std::abs(determinant) > 1e-9 * s[0] * s[2] * std::max(s[4], 1e-300);
    if (isCurved) {
        curve.a = (t[0] * (s[2] * s[4] - s[3] * s[3]) + s[2] * (t[1] * s[3] - t[2] * s[2])) / determinant;
        curve.b = (s[0] * (t[1] * s[4] - s[3] * t[2]) - s[2] * (t[1] * s[2] - s[3] * t[0])) / determinant;
        curve.c = (s[0] * (s[2] * t[2] - s[3] * t[1]) - s[2] * s[2] * t[0]) / determinant;
    } else {
        curve.a = t[0] / s[0];
        curve.b = s[2] > 0 ? t[1] / s[2] : 0;
    }
    return curve;
}

/// Points from left to right along the curve through an edge's corners.
std::vector<Point> edgeOf(const std::vector<Point>& corners) {
    const Parabola curve = parabolaThrough(corners);
    const auto [left, right] =
        std::minmax_element(corners.begin(), corners.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    std::vector<Point> points;
    for (std::size_t i = 0; i < kPointsAnEdge; ++i) {
        const double share = double(i) / double(kPointsAnEdge - 1);
        const double x = double(left->x) + share * (double(right->x) - double(left->x));
        points.push_back({float(x), float(curve.at(x))});
    }
    return points;
}

/// Along the upper edge and back along the lower one.
std::vector<Point> outlineOf(const MatValue& characters, std::size_t first, std::size_t count) {
    std::vector<Point> upper, lower;
    for (std::size_t i = first; i < first + count; ++i)
        for (std::size_t corner = 0; corner < 4; ++corner) // clockwise from the upper left
            (corner < 2 ? upper : lower).push_back(cornerOf(characters, i, corner));
    std::vector<Point> outline = edgeOf(upper), back = edgeOf(lower);
    outline.insert(outline.end(), back.rbegin(), back.rend());
    return outline;
}

/// The rectangle around a word with the room around it.
std::vector<Point> cutOf(const MatValue& words, std::size_t number) {
    Box box{1e30F, 1e30F, -1e30F, -1e30F};
    for (std::size_t corner = 0; corner < 4; ++corner) {
        const Point p = cornerOf(words, number, corner);
        box = {std::min(box.x1, p.x), std::min(box.y1, p.y), std::max(box.x2, p.x), std::max(box.y2, p.y)};
    }
    const auto room = float(kRoom * std::sqrt(std::max(0.0, box.area())));
    return {{box.x1 - room, box.y1 - room},
            {box.x2 + room, box.y1 - room},
            {box.x2 + room, box.y2 + room},
            {box.x1 - room, box.y2 + room}};
}

/// One photo's words; false where its annotations do not fit together.
Result<bool> takePhoto(WordIntake& intake, const fs::path& photo, const std::string& name,
                       const std::vector<std::string>& words, const MatValue& quads, const MatValue& characters) {
    std::size_t letters = 0;
    for (const std::string& word : words)
        letters += text::repaired(word).size();
    if (words.size() != quadsIn(quads))
        return false;
    const bool hasOutlines = letters == quadsIn(characters);
    std::size_t first = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::size_t count = text::repaired(words[w]).size();
        ListedSample sample;
        sample.info.id = fmt::format("{}#{}", name, w + 1);
        sample.path = photo.string();
        sample.outline = cutOf(quads, w);
        if (hasOutlines)
            sample.info.objects.emplace_back().polygons = {outlineOf(characters, first, count)};
        first += count;
        if (auto added = intake.add(std::move(sample), words[w]); !added)
            return added.error();
    }
    return true;
}

} // namespace

Result<DatasetListing> listSynthText(const DatasetConfig& entry, const DatasetContext& context) {
    std::error_code ignored; // then it is a file, or opening it fails
    const fs::path file =
        fs::is_directory(entry.path, ignored) ? fs::path(entry.path) / "gt.mat" : fs::path(entry.path);
    const auto read = readMatFile(file, {"imnames", "wordBB", "charBB", "txt"});
    if (!read)
        return read.error();
    const auto &names = (*read)[0].cells, &quads = (*read)[1].cells, &characters = (*read)[2].cells,
               &texts = (*read)[3].cells;
    if (names.empty() || quads.size() != names.size() || characters.size() != names.size() ||
        texts.size() != names.size())
        return Error{ErrorKind::Data,
                     fmt::format("The file has {} photos, {} of them with words, {} with characters and {} with texts.",
                                 names.size(), quads.size(), characters.size(), texts.size()),
                     file.string(), "Copy it again from where it is published."};
    DatasetListing listing = startListing("synthtext", TaskKind::Recognition, entry.path, context);
    WordIntake intake(context, listing, file.string());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (context.progress && i % 1024 == 0)
            context.progress(std::int64_t(i), std::int64_t(names.size()));
        const auto own = names[i].allTexts();
        const std::string name = own.empty() ? "" : own.front();
        const fs::path photo = file.parent_path() / fs::path(name);
        if (name.empty() || !fs::is_regular_file(photo, ignored)) {
            intake.addMissing(name, "The photo is missing.");
            continue;
        }
        const auto taken = takePhoto(intake, photo, name, wordsOf(texts[i]), quads[i], characters[i]);
        if (!taken)
            return taken.error();
        if (!*taken)
            intake.note(name, "There are not as many words as places for them; the photo is left out.");
    }
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

} // namespace trainyard
