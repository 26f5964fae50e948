// A run's points on their way into the project: written, read back, and what that costs an engine's thread.
#include "tests/bench/Bench.h"

#include "core/project/Project.h"
#include "core/project/RunRecorder.h"
#include "tests/bench/Folder.h"
#include "tests/bench/LongSeries.h"

#include <algorithm>
#include <memory>

namespace trainyard::bench {
namespace {

/// An engine that reports `count` steps, and waits until they are on disk if it is told to.
class Reporter {
public:
    explicit Reporter(const std::filesystem::path& folder) {
        const auto project = must(Project::open(folder, Project::Mode::ReadWrite, true));
        m_recorder = must(RunRecorder::start(folder, must(project->createRun({})).id, 0));
        m_report.losses = {{"classification", 0.5}, {"box", 0.25}};
    }
    void report(int count) {
        for (int i = 0; i < count; ++i) {
            m_report.loss = double(++m_report.iteration);
            m_recorder->onStep(m_report);
        }
    }
    void drain() { must(m_recorder->drain()); }

private:
    std::unique_ptr<RunRecorder> m_recorder;
    StepReport m_report;
};

std::vector<Comparison> compare() {
    const auto folder = std::make_shared<Folder>();
    const auto longRun = folder->next();
    writeScalars(longRun, 1, 10000000);
    const std::shared_ptr<SeriesReader> reader = must(SeriesReader::open(longRun));
    const auto reporter = std::make_shared<Reporter>(folder->next());
    const auto window = [reader](std::int64_t from, std::int64_t to) {
        return [reader, from, to] { must(reader->window("loss/0", from, to, 1000)); };
    };
    return {
        {"A million scalars into series.sqlite",
         {{"16 series", [folder] { writeScalars(folder->next(), 16, 1000000); }},
          {"1 series", [folder] { writeScalars(folder->next(), 1, 1000000); }}},
         5},
        {"1 000 columns of ten million points",
         {{"every point", [reader] { must(reader->points("loss/0", 1, 10000000)); }},
          {"window over all", window(1, 10000000)},
          {"window over a tenth", window(4000000, 5000000)},
          {"window over a thousandth", window(5000000, 5010000)}},
         5},
        {"10 000 step reports",
         {{"until they are on disk",
           [reporter] {
               reporter->report(10000);
               reporter->drain();
           }},
          {"on the engine's thread", [reporter, folder] { reporter->report(10000); }}},
         5},
    };
}

/// A window's counts and extremes are those of the points themselves.
std::string check() {
    Folder folder;
    const auto path = folder.next();
    writeScalars(path, 1, 50000);
    const auto reader = must(SeriesReader::open(path));
    std::int64_t count = 0;
    double highest = 0, expected = 0;
    for (const SeriesBucket& bucket : must(reader->window("loss/0", 1, 50000, 300))) {
        count += bucket.count;
        highest = std::max(highest, bucket.maximum);
    }
    for (const SeriesPoint& point : must(reader->points("loss/0", 1, 50000)))
        expected = std::max(expected, point.value);
    return count == 50000 && highest == expected ? "" : "a window differs from its points";
}

const Register kRecorder("recorder", compare, check);

} // namespace
} // namespace trainyard::bench
