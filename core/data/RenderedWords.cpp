#include "core/data/RenderedWords.h"

#include "core/base/Fingerprint.h"
#include "core/base/Text.h"
#include "core/config/WordInput.h"
#include "core/data/ImageFinder.h"
#include "core/data/OpenCvImage.h"
#include "core/data/WordMaker.h"
#include "core/data/WordPainter.h"

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <filesystem>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictures = 200;
constexpr int kPictureSide = 512;
constexpr std::uint64_t kTrainingSpace = 1, kValidationSpace = 2;

class RenderedWords final : public Dataset {
public:
    RenderedWords(const RunConfig& config, bool isForTraining, WordMaker maker, WordPainter painter,
                  std::vector<DataProblem> problems, std::string fingerprint)
        : m_seed(config.seed), m_validationCount(config.data.rendered.validationCount), m_isForTraining(isForTraining),
          m_maker(std::move(maker)), m_painter(std::move(painter)), m_problems(std::move(problems)),
          m_fingerprint(std::move(fingerprint)) {}

    TaskKind task() const override { return TaskKind::Recognition; }
    std::string name() const override { return "rendered-words"; }
    std::string format() const override { return "rendered-words"; }
    std::int64_t size() const override { return m_isForTraining ? kEndless : m_validationCount; }
    const std::vector<std::string>& classes() const override { return m_classes; }
    std::vector<std::int64_t> categoryIds() const override { return {}; }
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return m_fingerprint; }

    SampleInfo info(std::int64_t index) const override {
        Random random = randomOf(index);
        return infoOf(index, m_maker.word(random, !m_isForTraining));
    }

    Result<Sample> sample(std::int64_t index) const override {
        Random random = randomOf(index);
        const std::u32string word = m_maker.word(random, !m_isForTraining);
        Sample sample{m_painter.paint(word, random), {}, infoOf(index, word)};
        sample.info.width = sample.image.width;
        sample.info.height = sample.image.height;
        return sample;
    }

private:
    Random randomOf(std::int64_t index) const {
        return Random(deriveSeed(m_seed, m_isForTraining ? kTrainingSpace : kValidationSpace, std::uint64_t(index)));
    }

    SampleInfo infoOf(std::int64_t index, const std::u32string& word) const {
        SampleInfo info;
        info.id = fmt::format("{}{}:{}", m_isForTraining ? "" : "validation:", m_seed, index);
        info.dataset = name();
        info.imageId = index;
        info.transcript = m_maker.transcript(word);
        return info;
    }

    std::uint64_t m_seed;
    std::int64_t m_validationCount;
    bool m_isForTraining;
    WordMaker m_maker;
    WordPainter m_painter;
    std::vector<std::string> m_classes;
    std::vector<DataProblem> m_problems;
    std::string m_fingerprint;
};

Image smaller(Image image) {
    const int side = std::max(image.width, image.height);
    if (side <= kPictureSide)
        return image;
    const double scale = double(kPictureSide) / side;
    cv::Mat small;
    cv::resize(matOf(image), small, {}, scale, scale, cv::INTER_AREA);
    return imageOf(small);
}

/// The pictures of a folder, kept small and in memory.
Result<std::vector<Image>> readPictures(const std::string& folder, int channels, std::int64_t maxPixels,
                                        std::vector<DataProblem>& problems) {
    std::vector<Image> pictures;
    if (folder.empty())
        return pictures;
    std::error_code failed;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (hasImageExtension(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    files.resize(std::min(files.size(), kMostPictures));
    for (const fs::path& file : files) {
        auto picture = readImage(file.string(), channels, maxPixels);
        if (picture)
            pictures.push_back(smaller(std::move(*picture)));
        else
            problems.push_back({DataProblem::Severity::Warning, file.filename().string(), picture.error().sentence()});
    }
    if (pictures.empty())
        return Error{ErrorKind::Data, "The folder of backgrounds has no picture that can be read.", folder,
                     "Correct data.rendered.backgrounds, or leave it empty."};
    return pictures;
}

/// Words and pictures count by what they hold, not by where they lie: a folder may move.
std::string printOf(const RenderedWordsConfig& config, const RunConfig& run, bool isForTraining,
                          const WordMaker& maker, const Fonts& fonts, const std::vector<Image>& pictures) {
    Fingerprint print;
    print.add(std::int64_t(run.seed));
    print.add(std::int64_t(isForTraining));
    print.add(wordInput(run.model).alphabet);
    for (const auto& font : fonts) {
        std::error_code failed; // a font that vanished counts as one of no size
        const auto bytes = fs::file_size(font->file(), failed);
        print.add(font->family() + " " + font->style());
        print.add(failed ? std::int64_t(-1) : std::int64_t(bytes));
    }
    print.add(config.alphabet);
    for (const std::u32string& word : maker.words())
        print.add(text::encode(word));
    print.add(std::int64_t(maker.words().size()));
    print.add(config.minLength);
    print.add(config.maxLength);
    for (const double value : {config.perspective, config.curvature, config.slant, config.noise, config.blur})
        print.add(fmt::format("{}", value));
    if (config.tilt > 0) // words without one are those of runs that knew none
        print.add(fmt::format("{}", config.tilt));
    for (const Image& picture : pictures)
        print.add({reinterpret_cast<const char*>(picture.pixels.data()), picture.pixels.size()});
    return print.text();
}

} // namespace

Result<std::unique_ptr<Dataset>> openRenderedWords(const DatasetConfig& entry, const DatasetContext& context) {
    RunConfig config = context.config;
    if (!entry.path.empty())
        config.data.rendered.words = entry.path;
    const RenderedWordsConfig& rendered = config.data.rendered;
    std::vector<DataProblem> problems;
    auto maker = WordMaker::make(config, problems);
    if (!maker)
        return maker.error();
    const bool usesHeldOut = !context.isForTraining && !rendered.heldOutFonts.empty();
    auto fonts =
        findFonts(usesHeldOut ? rendered.heldOutFonts : rendered.fonts,
                  context.isForTraining ? rendered.heldOutFonts : std::vector<std::string>{}, maker->characters());
    if (!fonts)
        return fonts.error();
    const int channels = wordInput(config.model).channels == 1 ? 1 : 3;
    auto pictures = readPictures(rendered.backgrounds, channels, config.data.maxPixels, problems);
    if (!pictures)
        return pictures.error();
    const std::string print = printOf(rendered, config, context.isForTraining, *maker, *fonts, *pictures);
    WordPainter painter(rendered, channels, std::move(*fonts), std::move(*pictures));
    return std::make_unique<RenderedWords>(config, context.isForTraining, std::move(*maker), std::move(painter),
                                           std::move(problems), print);
}

} // namespace trainyard
