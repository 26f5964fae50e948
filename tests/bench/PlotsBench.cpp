// A plot over ten million points: read from the series' pyramid, drawn, and kept up with a run that goes on.
#include "tests/bench/Bench.h"

#include "tests/bench/Folder.h"
#include "tests/bench/LongSeries.h"
#include "widgets/plots/CurveMath.h"
#include "widgets/plots/SeriesPlot.h"

#include <QApplication>
#include <QPixmap>

#include <algorithm>
#include <cmath>
#include <memory>

namespace trainyard::bench {
namespace {

constexpr std::int64_t kLong = 10000000;
constexpr const char* kSeries = "loss/0";

/// There is one application, made when the first plot is; it lives until the process ends.
void ensureApplication() {
    static int count = 1;
    static char name[] = "trainyard-bench";
    static char* arguments[] = {name, nullptr};
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!QApplication::instance())
        new QApplication(count, arguments);
}

using Buckets = std::vector<SeriesBucket>;

/// A plot as large as the monitor's on a usual screen, and the series that it shows.
class Plot {
public:
    explicit Plot(const std::filesystem::path& folder) : m_reader(must(SeriesReader::open(folder))) {
        ensureApplication();
        m_plot = std::make_unique<SeriesPlot>("Loss", ValueStyle::Number);
        m_plot->resize(900, 550);
        m_plot->show();
    }
    Buckets window(std::int64_t from, std::int64_t to) const {
        return must(m_reader->window(kSeries, from, to, m_plot->columns()));
    }
    std::int64_t last() const { return must(m_reader->range(kSeries)).second; }
    /// Every point, cut to columns here.
    Buckets everyPoint(std::int64_t from, std::int64_t to) const {
        Buckets buckets(std::size_t(m_plot->columns()));
        const std::int64_t width = (to - from) / std::int64_t(buckets.size()) + 1;
        for (const SeriesPoint& point : must(m_reader->points(kSeries, from, to))) {
            SeriesBucket& bucket = buckets[std::size_t((point.iteration - from) / width)];
            const bool isFirst = bucket.count++ == 0;
            bucket.first = isFirst ? point.iteration : bucket.first;
            bucket.last = point.iteration;
            bucket.minimum = isFirst ? point.value : std::min(bucket.minimum, point.value);
            bucket.maximum = isFirst ? point.value : std::max(bucket.maximum, point.value);
            bucket.mean += (point.value - bucket.mean) / double(bucket.count);
        }
        return buckets;
    }
    /// `curves` of them, all alike.
    void draw(const Buckets& buckets, std::int64_t from, std::int64_t to, int curves = 1) {
        PlotData data;
        for (int i = 0; i < curves; ++i)
            data.curves.push_back({QString::number(i), QString::number(i), i, buckets, {}, 0.5, to});
        m_plot->setData(data);
        m_plot->setRange(double(from), double(to));
        m_plot->drawNow();
        m_plot->grab();
    }

private:
    std::unique_ptr<SeriesReader> m_reader;
    std::unique_ptr<SeriesPlot> m_plot;
};

Comparison compareOne(const std::shared_ptr<Plot>& plot) {
    const auto drawn = [plot](std::int64_t from, std::int64_t to) {
        return [=] { plot->draw(plot->window(from, to), from, to); };
    };
    return {"plots: a curve of ten million points, read and drawn",
            {{"every point read and cut to columns", [=] { plot->draw(plot->everyPoint(1, kLong), 1, kLong); }},
             {"from the pyramid, all of it", drawn(1, kLong)},
             {"from the pyramid, a tenth", drawn(4000000, 5000000)},
             {"from the pyramid, a thousandth", drawn(5000000, 5010000)}},
            5};
}

Comparison compareTwenty(const std::shared_ptr<Plot>& plot) {
    constexpr int kCurves = 20;
    const auto whole = std::make_shared<Buckets>(plot->window(1, kLong));
    const auto shift = std::make_shared<std::int64_t>(0);
    return {"plots: twenty curves of ten million points each",
            {{"drawn alone", [=] { plot->draw(*whole, 1, kLong, kCurves); }},
             {"read and drawn, a little further on each time",
              [=] {
                  const std::int64_t from = 1000000 + 10007 * ++*shift, to = from + 4000000;
                  Buckets buckets;
                  for (int i = 0; i < kCurves; ++i)
                      buckets = plot->window(from, to);
                  plot->draw(buckets, from, to, kCurves);
              }}},
            15};
}

/// A run of ten million points that gains ten more between two repaints.
Comparison compareLive(const std::filesystem::path& folder, const std::shared_ptr<Plot>& plot) {
    const std::shared_ptr<SeriesWriter> writer = must(SeriesWriter::open(folder));
    const auto next = std::make_shared<std::int64_t>(plot->last());
    const auto write = [=] {
        for (int i = 0; i < 10; ++i)
            writer->add(kSeries, ++*next, 0.5);
        must(writer->flush());
    };
    const auto whole = std::make_shared<Buckets>(plot->window(1, kLong));
    return {"plots: ten points more of a curve of ten million",
            {{"written, read and drawn",
              [=] {
                  write();
                  plot->draw(plot->window(1, *next), 1, *next);
              }},
             {"written alone", write},
             {"read alone", [=] { plot->window(1, *next); }},
             {"drawn alone", [=] { plot->draw(*whole, 1, kLong); }}},
            15};
}

std::vector<Comparison> compare() {
    const auto folder = std::make_shared<Folder>();
    const auto run = folder->next();
    writeScalars(run, 1, kLong);
    // the folder goes when the last plot of it does
    const std::shared_ptr<Plot> plot(new Plot(run), [folder](Plot* own) { delete own; });
    return {compareOne(plot), compareTwenty(plot), compareLive(run, plot)};
}

/// One spike in a hundred thousand points is drawn, and the pyramid gives what reading every point does.
std::string check() {
    Folder folder;
    const auto run = folder.next();
    constexpr std::int64_t kCount = 100000;
    {
        const auto writer = must(SeriesWriter::open(run));
        must(writer->beginSession(0));
        for (std::int64_t i = 1; i <= kCount; ++i)
            writer->add(kSeries, i, i == 54321 ? 9.0 : std::sin(double(i) * 0.001));
        must(writer->flush());
    }
    const Plot plot(run);
    const Buckets fromPyramid = plot.window(1, kCount), fromPoints = plot.everyPoint(1, kCount);
    const auto whole = curves::extent(fromPyramid, 1, double(kCount), false);
    const auto expected = curves::extent(fromPoints, 1, double(kCount), false);
    if (whole.low != expected.low || whole.high != expected.high || whole.high != 9.0)
        return "The pyramid's extremes are not those of the points.";
    std::int64_t count = 0;
    for (const SeriesBucket& bucket : fromPyramid)
        count += bucket.count;
    if (count != kCount)
        return "The pyramid counts " + std::to_string(count) + " points.";
    const auto line = curves::rawLine(fromPyramid);
    const bool isDrawn = std::any_of(line.begin(), line.end(), [](const QPointF& point) { return point.y() == 9.0; });
    return isDrawn ? "" : "The spike is not drawn.";
}

const Register kPlots("plots", compare, check);

} // namespace
} // namespace trainyard::bench
