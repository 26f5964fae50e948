#include "core/data/PublishedSets.h"

#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/data/MatFile.h"
#include "core/data/WordIntake.h"
#include "core/data/WordOutlines.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <sstream>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// An XML file of tagged rectangles in `folder`, that of `part` where it is given; empty where there is none.
fs::path taggedFile(const fs::path& folder, const std::string& part, bool isForTraining) {
    std::vector<std::string> stems{part};
    if (part.empty())
        stems = isForTraining ? std::vector<std::string>{"train", "words", "test"}
                              : std::vector<std::string>{"test", "words", "train"};
    for (const std::string& stem : stems)
        if (const fs::path file = folder / (stem + ".xml"); isRegularFile(file))
            return file;
    return {};
}

bool hasTagset(const fs::path& file) {
    constexpr std::size_t kLooked = 4096;
    const auto opened = InputFile::open(file, ErrorKind::Data);
    const auto start = opened ? opened->readAll(kLooked) : Result<std::string>(std::string());
    return start && start->find("<tagset") != std::string::npos;
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        if (const auto trimmed = text::trimmed(part); !trimmed.empty())
            parts.emplace_back(trimmed);
    return parts;
}

Error noImages(const fs::path& file, const std::string& what) {
    return {ErrorKind::Data, "The file has no " + what + ".", file.string(),
            "Copy it again from where it is published."};
}

/// Takes a word whose image lies at `name` below `folder`.
Result<void> take(WordIntake& intake, const fs::path& folder, const std::string& name, ListedSample sample,
                  const std::string& transcript) {
    const fs::path path = folder / fs::path(name);
    if (!isRegularFile(path)) {
        intake.addMissing(sample.info.id.empty() ? name : sample.info.id);
        return {};
    }
    sample.path = path.string();
    if (sample.info.id.empty())
        sample.info.id = name;
    return intake.add(std::move(sample), transcript);
}

} // namespace

std::string publishedFormat(const fs::path& folder) {
    if (isRegularFile(folder / "testdata.mat") || isRegularFile(folder / "traindata.mat"))
        return "iiit5k";
    if (isRegularFile(folder / "gt.mat"))
        return "synthtext";
    if (isRegularFile(folder / "imagelist.txt"))
        return "image-list";
    const fs::path tagged = taggedFile(folder, "", true);
    return !tagged.empty() && hasTagset(tagged) ? "tagged-words" : "";
}

Result<DatasetListing> listIiit5k(const DatasetConfig& entry, const DatasetContext& context) {
    DatasetListing listing = startListing("iiit5k", TaskKind::Recognition, entry.path, context);
    std::string part = entry.part.empty() ? (context.isForTraining ? "train" : "test") : entry.part;
    if (part != "train" && part != "test" && part != "test-1k")
        return Error{ErrorKind::Usage, fmt::format("IIIT5K has no part \"{}\".", part), entry.path,
                     "Its parts are train, test and test-1k."};
    const std::string variable = part == "train" ? "traindata" : "testdata";
    const fs::path file = fs::path(entry.path) / (variable + ".mat");
    const auto values = readMatFile(file, {variable});
    if (!values)
        return values.error();
    WordIntake intake(context, listing, file.string());
    for (const auto& word : values->front().structures) {
        const auto textsOf = [&](const char* field) {
            const auto found = word.find(field);
            return found == word.end() ? std::vector<std::string>() : found->second.allTexts();
        };
        const auto name = textsOf("ImgName"), truth = textsOf("GroundTruth");
        if (name.empty() || truth.empty())
            return noImages(file, "ImgName or no GroundTruth for each word");
        ListedSample sample;
        sample.info.lexicon = textsOf(part == "test-1k" ? "mediumLexi" : "smallLexi");
        if (auto taken = take(intake, entry.path, name.front(), std::move(sample), truth.front()); !taken)
            return taken.error();
    }
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

Result<DatasetListing> listTaggedWords(const DatasetConfig& entry, const DatasetContext& context) {
    std::error_code ignored; // then it is a file, or opening it fails
    const bool isFolder = fs::is_directory(entry.path, ignored);
    const fs::path file = isFolder ? taggedFile(entry.path, entry.part, context.isForTraining) : fs::path(entry.path);
    if (file.empty())
        return Error{ErrorKind::Data,
                     fmt::format("The folder has no {}.xml.", entry.part.empty() ? "words" : entry.part), entry.path,
                     "Name the file itself."};
    const auto content = readFile(file, ErrorKind::Data);
    if (!content)
        return content.error();
    pugi::xml_document document;
    if (const auto parsed = document.load_buffer(content->data(), content->size()); !parsed)
        return Error{ErrorKind::Data, fmt::format("The file is no XML: {}.", parsed.description()),
                     fmt::format("{}: {}", file.string(), text::place(*content, std::size_t(parsed.offset))),
                     "Copy it again from where it is published."};
    DatasetListing listing = startListing("tagged-words", TaskKind::Recognition, entry.path, context);
    WordIntake intake(context, listing, file.string());
    for (const pugi::xml_node& image : document.child("tagset").children("image")) {
        const std::string name = image.child_value("imageName");
        const auto lexicon = partsOf(image.child_value("lex"), ',');
        int number = 0;
        for (const pugi::xml_node& rectangle : image.child("taggedRectangles").children("taggedRectangle")) {
            const float x = rectangle.attribute("x").as_float(), y = rectangle.attribute("y").as_float();
            const float right = x + rectangle.attribute("width").as_float() - 1,
                        bottom = y + rectangle.attribute("height").as_float() - 1;
            ListedSample sample;
            sample.info.id = fmt::format("{}#{}", name, ++number);
            sample.info.lexicon = lexicon;
            sample.outline = withMargin({{x, y}, {right, y}, {right, bottom}, {x, bottom}}, entry.margin);
            if (auto taken = take(intake, file.parent_path(), name, std::move(sample), rectangle.child_value("tag"));
                !taken)
                return taken.error();
        }
    }
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

Result<DatasetListing> listImageList(const DatasetConfig& entry, const DatasetContext& context) {
    std::error_code ignored; // then it is a file, or opening it fails
    const fs::path file =
        fs::is_directory(entry.path, ignored) ? fs::path(entry.path) / "imagelist.txt" : fs::path(entry.path);
    const auto content = readTextFile(file, ErrorKind::Data);
    if (!content)
        return content.error();
    DatasetListing listing = startListing("image-list", TaskKind::Recognition, entry.path, context);
    WordIntake intake(context, listing, file.string());
    int number = 0;
    for (const std::string_view line : text::lines(*content)) {
        ++number;
        const auto fields = partsOf(std::string(line), ' ');
        if (fields.empty())
            continue;
        if (fields.size() < 2) {
            intake.note(file.filename().string(), fmt::format("Line {} has no word.", number));
            continue;
        }
        ListedSample sample;
        if (fields.size() >= 4)
            sample.info.lexicon = partsOf(fields[3], ',');
        if (auto taken = take(intake, file.parent_path(), fields[0], std::move(sample), fields[1]); !taken)
            return taken.error();
    }
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

} // namespace trainyard
