#include "core/data/Inspection.h"

#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

namespace trainyard {
namespace {

constexpr std::size_t kBins = 12;

Distribution distributionOf(const std::vector<double>& values, bool isLogarithmic) {
    Distribution result;
    if (values.empty())
        return result;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    result.smallest = *low;
    result.largest = *high;
    result.total = std::int64_t(values.size());
    const auto scaled = [&](double value) { return isLogarithmic ? std::log(std::max(value, 1e-9)) : value; };
    const double from = scaled(*low), width = (scaled(*high) - from) / double(kBins);
    result.counts.assign(width > 0 ? kBins : 1, 0);
    for (std::size_t i = 0; i <= result.counts.size(); ++i) {
        const double edge = from + width * double(i);
        result.edges.push_back(isLogarithmic ? std::exp(edge) : edge);
    }
    result.edges.front() = *low;
    result.edges.back() = *high;
    for (const double value : values) {
        const auto bin = width > 0 ? std::size_t((scaled(value) - from) / width) : 0;
        ++result.counts[std::min(bin, result.counts.size() - 1)];
        result.mean += value / double(values.size());
    }
    return result;
}

/// Collects one sample after the other.
class Tally {
public:
    explicit Tally(Inspection& inspection) : m_inspection(inspection) {}

    void add(const SampleInfo& info) {
        if (info.width > 0 && info.height > 0) {
            m_widths.push_back(info.width);
            m_heights.push_back(info.height);
            m_aspects.push_back(double(info.width) / info.height);
        }
        if (m_inspection.task == TaskKind::Recognition)
            addTranscript(info.transcript);
        else
            addObjects(info.objects);
    }

    void finish() {
        m_inspection.widths = distributionOf(m_widths, false);
        m_inspection.heights = distributionOf(m_heights, false);
        m_inspection.imageAspects = distributionOf(m_aspects, true);
        m_inspection.lengths = distributionOf(m_lengths, false);
        m_inspection.boxSizes = distributionOf(m_boxSizes, true);
        m_inspection.boxAspects = distributionOf(m_boxAspects, true);
    }

private:
    void addTranscript(const std::string& transcript) {
        const auto characters = text::decode(transcript).value_or(U"");
        m_lengths.push_back(double(characters.size()));
        for (const char32_t character : characters)
            ++m_inspection.characters[text::encode(character)];
    }

    void addObjects(const std::vector<ObjectAnnotation>& objects) {
        std::vector<bool> isSeen(m_inspection.classes.size(), false);
        m_inspection.imagesWithoutObjects += objects.empty();
        for (const ObjectAnnotation& object : objects) {
            const auto label = std::size_t(object.label);
            ++m_inspection.objects;
            ++m_inspection.classes[label].objects;
            m_inspection.classes[label].images += !isSeen[label];
            isSeen[label] = true;
            m_inspection.crowds += object.isCrowd;
            m_inspection.difficult += object.isDifficult;
            m_inspection.withPolygons += !object.polygons.empty();
            m_inspection.withMasks += object.mask.has_value();
            m_inspection.withKeypoints += !object.keypoints.empty();
            m_boxSizes.push_back(std::sqrt(object.box.area()));
            m_boxAspects.push_back(object.box.height() / object.box.width());
        }
    }

    Inspection& m_inspection;
    std::vector<double> m_widths, m_heights, m_aspects, m_lengths, m_boxSizes, m_boxAspects;
};

/// One sample as a decoding thread leaves it.
struct Looked {
    bool isDone = false, isDamaged = false;
    int width = 0, height = 0;
    std::uint64_t bits = 0;
    std::string trouble;
    std::vector<DataProblem> problems;
};

/// Boxes that leave a picture whose size the annotations do not give.
std::vector<DataProblem> outsideOf(const Sample& sample) {
    std::vector<DataProblem> problems;
    const float w = float(sample.image.width) + 1, h = float(sample.image.height) + 1;
    for (const ObjectAnnotation& object : sample.info.objects) {
        const Box& box = object.box;
        if (box.x1 < -1 || box.y1 < -1 || box.x2 > w || box.y2 > h)
            problems.push_back(
                {DataProblem::Severity::Warning, sample.info.id,
                 fmt::format("Annotation {} leaves the image of {} x {} pixels ({:g} {:g} {:g} {:g}).", object.id,
                             sample.image.width, sample.image.height, box.x1, box.y1, box.x2, box.y2),
                 "", std::to_string(object.id), box});
    }
    return problems;
}

/// Decodes all samples on `options.threads` threads while this one reports progress.
std::vector<Looked> decodeAll(const Dataset& dataset, std::int64_t count, const InspectionOptions& options) {
    std::vector<Looked> looked(static_cast<std::size_t>(count));
    std::atomic<std::int64_t> next{0}, done{0};
    const auto work = [&] {
        for (std::int64_t i = next++; i < count && !options.cancellation.isCancelled(); i = next++) {
            Looked& one = looked[std::size_t(i)];
            const auto sample = dataset.sample(i);
            one.isDone = true;
            one.isDamaged = !sample;
            one.trouble = sample ? "" : sample.error().sentence();
            one.width = sample ? sample->info.width : 0;
            one.height = sample ? sample->info.height : 0;
            if (sample && dataset.task() == TaskKind::Detection) {
                one.bits = pictureHash(sample->image);
                one.problems = outsideOf(*sample);
            }
            ++done;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < std::max(1, options.threads); ++i)
            threads.emplace_back(work);
        while (options.progress && done < count && !options.cancellation.isCancelled()) {
            options.progress(done, count);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    if (options.progress)
        options.progress(done, count);
    return looked;
}

} // namespace

Inspection inspectDataset(const Dataset& dataset, const InspectionOptions& options) {
    Inspection result;
    result.name = dataset.name();
    result.format = dataset.format();
    result.fingerprint = dataset.fingerprint();
    result.task = dataset.task();
    result.isEndless = dataset.size() == Dataset::kEndless;
    result.samples = dataset.size();
    result.problems = dataset.problems();
    for (const std::string& name : dataset.classes())
        result.classes.push_back({name, 0, 0});
    const std::int64_t count = result.isEndless ? options.endlessCount : dataset.size();
    std::vector<Looked> looked;
    if (options.decodesImages)
        looked = decodeAll(dataset, count, options);
    Tally tally(result);
    for (std::int64_t i = 0; i < count && !options.cancellation.isCancelled(); ++i) {
        SampleInfo info = dataset.info(i);
        if (options.decodesImages) {
            const Looked& one = looked[std::size_t(i)];
            result.decoded += one.isDone && !one.isDamaged;
            if (one.isDamaged) {
                ++result.damaged;
                result.problems.push_back({DataProblem::Severity::Error, info.id, one.trouble});
            } else if (one.isDone) {
                info.width = one.width;
                info.height = one.height;
                result.problems.insert(result.problems.end(), one.problems.begin(), one.problems.end());
                if (result.task == TaskKind::Detection)
                    result.pictures.push_back({info.id, one.bits});
            }
        }
        tally.add(info);
    }
    tally.finish();
    result.wasCancelled = options.cancellation.isCancelled();
    return result;
}

std::int64_t Inspection::errors() const {
    return std::count_if(problems.begin(), problems.end(),
                         [](const DataProblem& problem) { return problem.severity == DataProblem::Severity::Error; });
}

std::vector<DataProblem> similarPictures(const Inspection& a, const Inspection& b) {
    constexpr int kBands = 4, kMostBits = 3; // who differs in three bits agrees in one of four bands
    std::vector<DataProblem> problems;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> known;
    const auto bandOf = [](std::uint64_t bits, int band) {
        return std::uint64_t(band) << 16 | (bits >> (16 * band) & 0xFFFF);
    };
    for (std::size_t i = 0; i < a.pictures.size(); ++i)
        for (int band = 0; band < kBands; ++band)
            known[bandOf(a.pictures[i].bits, band)].push_back(i);
    for (const PictureHash& picture : b.pictures) {
        if (picture.bits == 0) // of one colour: all of them look alike
            continue;
        std::set<std::size_t> alike;
        for (int band = 0; band < kBands; ++band)
            if (const auto found = known.find(bandOf(picture.bits, band)); found != known.end())
                for (const std::size_t i : found->second)
                    if (std::popcount(a.pictures[i].bits ^ picture.bits) <= kMostBits)
                        alike.insert(i);
        for (const std::size_t i : alike)
            problems.push_back({DataProblem::Severity::Warning, picture.sample,
                                fmt::format("It looks like {} of {}.", a.pictures[i].sample, a.name)});
    }
    return problems;
}

} // namespace trainyard
