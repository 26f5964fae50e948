#include "core/base/Random.h"
#include "core/project/Series.h"
#include "tests/support/TestData.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace trainyard;

namespace {

constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::unique_ptr<SeriesWriter> writerOf(const testing::ScratchFolder& folder) {
    auto writer = SeriesWriter::open(folder.path());
    if (!writer)
        qFatal("%s", writer.error().sentence().c_str());
    return std::move(*writer);
}

std::unique_ptr<SeriesReader> readerOf(const testing::ScratchFolder& folder) {
    auto reader = SeriesReader::open(folder.path());
    if (!reader)
        qFatal("%s", reader.error().sentence().c_str());
    return std::move(*reader);
}

bool sameBits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<std::int64_t> iterationsOf(const std::vector<SeriesPoint>& points) {
    std::vector<std::int64_t> iterations;
    for (const SeriesPoint& point : points)
        iterations.push_back(point.iteration);
    return iterations;
}

using Iterations = std::vector<std::int64_t>;

} // namespace

class tst_Series : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Odd values, an uneven cadence, flushes of every size.
    void keepsEveryPointBitForBit() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        Random random(3);
        std::vector<SeriesPoint> expected;
        std::int64_t iteration = 0;
        for (int i = 0; i < 20000; ++i) {
            iteration += random.chance(0.9) ? 1 : random.integer(1, 1000);
            const double value = i % 97 == 0    ? std::bit_cast<double>(random.next())
                                 : i % 401 == 0 ? (i % 2 ? kInfinity : -kInfinity)
                                 : i % 5 == 0   ? -0.0
                                                : random.normal();
            expected.push_back({iteration, value});
            writer->add("loss", iteration, value);
            if (random.chance(0.002))
                VERIFY_RESULT(writer->flush());
        }
        VERIFY_RESULT(writer->flush());
        const auto points = readerOf(folder)->points("loss", kFirst, kLast);
        VERIFY_RESULT(points);
        QCOMPARE(points->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE((*points)[i].iteration, expected[i].iteration);
            QVERIFY(sameBits((*points)[i].value, expected[i].value));
        }
    }

    void readsAnyStretch() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        for (std::int64_t i = 1; i <= 5000; ++i)
            writer->add("loss", 2 * i, double(i));
        VERIFY_RESULT(writer->flush());
        const auto reader = readerOf(folder);
        for (const auto [from, to, count] : {std::array<std::int64_t, 3>{0, 1, 0},
                                             {2, 2, 1},
                                             {3, 3, 0},
                                             {2046, 2050, 3}, // across the first chunk's end
                                             {9999, 20000, 1},
                                             {10001, 20000, 0},
                                             {2, 10000, 5000}}) {
            const auto points = reader->points("loss", from, to);
            VERIFY_RESULT(points);
            QCOMPARE(std::int64_t(points->size()), count);
        }
        const auto range = reader->range("loss");
        VERIFY_RESULT(range);
        QCOMPARE(range->first, 2);
        QCOMPARE(range->second, 10000);
        QVERIFY(!reader->range("nothing"));
        QVERIFY(reader->points("nothing", kFirst, kLast)->empty());
    }

    /// One spike in a million points is seen at every zoom that holds it, and each bucket says what its points say.
    void showsASpikeAtEveryZoom() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        constexpr std::int64_t kCount = 1000000, kSpike = 654321;
        for (std::int64_t i = 1; i <= kCount; ++i)
            writer->add("loss", i, i == kSpike ? 99.0 : 1.0 + double(i % 7) / 8);
        VERIFY_RESULT(writer->flush());
        const auto reader = readerOf(folder);
        for (std::int64_t width = kCount; width >= 1; width = width * 2 / 3)
            for (const std::int64_t from : {kSpike - width / 2, kSpike - width + 1, kSpike})
                for (const int columns : {1, 7, 900}) {
                    const auto buckets = reader->window("loss", from, from + width - 1, columns);
                    VERIFY_RESULT(buckets);
                    QVERIFY(int(buckets->size()) <= columns);
                    std::int64_t count = 0, previous = kFirst;
                    double highest = 0;
                    for (const SeriesBucket& bucket : *buckets) {
                        QVERIFY(bucket.first > previous && bucket.last >= bucket.first);
                        QVERIFY(bucket.first >= from && bucket.last < from + width);
                        previous = bucket.last;
                        count += bucket.count;
                        highest = std::max(highest, bucket.maximum);
                    }
                    QCOMPARE(highest, 99.0);
                    QCOMPARE(count, std::min(from + width - 1, kCount) - std::max<std::int64_t>(from, 1) + 1);
                }
    }

    void fillsTheColumnsItIsAskedFor() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        for (std::int64_t i = 1; i <= 300000; ++i)
            writer->add("loss", i, double(i));
        VERIFY_RESULT(writer->flush());
        const auto buckets = readerOf(folder)->window("loss", 1, 300000, 800);
        VERIFY_RESULT(buckets);
        QCOMPARE(buckets->size(), std::size_t(800));
        for (const SeriesBucket& bucket : *buckets) { // the points are their iterations
            QCOMPARE(bucket.minimum, double(bucket.first));
            QCOMPARE(bucket.maximum, double(bucket.last));
            QVERIFY(std::abs(bucket.mean - double(bucket.first + bucket.last) / 2) < 1e-6);
            QVERIFY(bucket.last - bucket.first < 2 * 375);
        }
    }

    void countsNonFiniteValuesApart() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        for (std::int64_t i = 1; i <= 3000; ++i)
            writer->add("loss", i, i % 3 == 0 ? std::nan("") : i % 3 == 1 ? kInfinity : 4.0);
        writer->add("broken", 1, std::nan(""));
        VERIFY_RESULT(writer->flush());
        const auto reader = readerOf(folder);
        const auto buckets = reader->window("loss", kFirst, kLast, 1);
        VERIFY_RESULT(buckets);
        QCOMPARE(buckets->size(), std::size_t(1));
        QCOMPARE(buckets->front().count, 1000);
        QCOMPARE(buckets->front().nonFinite, 2000);
        QCOMPARE(buckets->front().minimum, 4.0);
        QCOMPARE(buckets->front().maximum, 4.0);
        QCOMPARE(buckets->front().mean, 4.0);
        const auto broken = reader->window("broken", kFirst, kLast, 10);
        VERIFY_RESULT(broken);
        QCOMPARE(broken->front().count, 0);
        QCOMPARE(broken->front().nonFinite, 1);
        QVERIFY(std::isnan(broken->front().maximum));
    }

    void meansOfHugeValuesDoNotOverflow() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        for (std::int64_t i = 1; i <= 2000; ++i)
            writer->add("loss", i, 1.5e308);
        VERIFY_RESULT(writer->flush());
        const auto buckets = readerOf(folder)->window("loss", 1, 2000, 3);
        VERIFY_RESULT(buckets);
        for (const SeriesBucket& bucket : *buckets)
            QVERIFY(std::isfinite(bucket.mean) && std::abs(bucket.mean / 1.5e308 - 1) < 1e-12);
    }

    /// 1…2500, resumed from 2000 up to 2200, resumed from 1000 up to 1100.
    void aResumeFromAnOlderCheckpointBranches() {
        testing::ScratchFolder folder;
        for (const auto& [from, to] : {std::pair(0, 2500), {2000, 2200}, {1000, 1100}}) {
            const auto writer = writerOf(folder); // each start is a process of its own
            VERIFY_RESULT(writer->beginSession(from));
            for (std::int64_t i = from + 1; i <= to; ++i)
                writer->add("loss", i, double(from) + double(i) / 10000);
            VERIFY_RESULT(writer->flush());
        }
        const auto reader = readerOf(folder);
        const auto points = reader->points("loss", kFirst, kLast);
        VERIFY_RESULT(points);
        QCOMPARE(points->size(), std::size_t(1100));
        for (std::size_t i = 0; i < points->size(); ++i) {
            QCOMPARE((*points)[i].iteration, std::int64_t(i) + 1);
            QCOMPARE(std::floor((*points)[i].value), i < 1000 ? 0.0 : 1000.0);
        }
        const auto buckets = reader->window("loss", kFirst, kLast, 50);
        VERIFY_RESULT(buckets);
        std::int64_t count = 0, previous = 0;
        for (const SeriesBucket& bucket : *buckets) {
            QVERIFY(bucket.first > previous);
            previous = bucket.last;
            count += bucket.count;
        }
        QCOMPARE(count, 1100);
        QCOMPARE(previous, 1100);
        const auto tails = reader->abandoned("loss");
        VERIFY_RESULT(tails);
        QCOMPARE(tails->size(), std::size_t(2));
        QCOMPARE(tails->at(0).front().iteration, 1001);
        QCOMPARE(tails->at(0).back().iteration, 2500);
        QCOMPARE(tails->at(1).front().iteration, 2001);
        QCOMPARE(tails->at(1).back().iteration, 2200);
        const auto sessions = reader->sessions();
        VERIFY_RESULT(sessions);
        QCOMPARE(sessions->size(), std::size_t(3));
        QCOMPARE(sessions->at(2).fromIteration, 1000);
        QCOMPARE(reader->range("loss")->second, 1100);
    }

    void aPlainResumeAbandonsNothing() {
        testing::ScratchFolder folder;
        for (const std::int64_t from : {0, 3, 6}) {
            const auto writer = writerOf(folder);
            VERIFY_RESULT(writer->beginSession(from));
            for (std::int64_t i = from + 1; i <= from + 3; ++i)
                writer->add("loss", i, 1);
            VERIFY_RESULT(writer->flush());
        }
        const auto reader = readerOf(folder);
        QCOMPARE(iterationsOf(*reader->points("loss", kFirst, kLast)), (Iterations{1, 2, 3, 4, 5, 6, 7, 8, 9}));
        QVERIFY(reader->abandoned("loss")->empty());
    }

    void pointsWithoutASessionGoOn() {
        testing::ScratchFolder folder;
        for (const std::int64_t from : {10, 13}) {
            const auto writer = writerOf(folder);
            writer->add("loss", from + 1, 1);
            writer->add("loss", from + 2, 1);
            VERIFY_RESULT(writer->flush());
            writer->add("loss", from + 3, 1);
            VERIFY_RESULT(writer->flush());
        }
        QCOMPARE(iterationsOf(*readerOf(folder)->points("loss", kFirst, kLast)), (Iterations{11, 12, 13, 14, 15, 16}));
    }

    /// The same as flushing once, whatever the cut: the chunk takes over from the rows of the tail.
    void manySmallFlushesAreOneLargeOne() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        const auto reader = [&] { return readerOf(folder); };
        VERIFY_RESULT(writer->beginSession(0));
        for (std::int64_t i = 1; i <= 3 * 1024 + 5; ++i) {
            writer->add("loss", i, double(i) / 3);
            VERIFY_RESULT(writer->flush());
            if (i % 511 == 0 || i % 1024 < 2) {
                const auto points = reader()->points("loss", kFirst, kLast);
                VERIFY_RESULT(points);
                QCOMPARE(std::int64_t(points->size()), i);
                QCOMPARE(points->back().value, double(i) / 3);
            }
        }
    }

    void aReaderFollowsAWriter() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        const auto reader = readerOf(folder);
        const std::int64_t before = reader->dataVersion();
        QCOMPARE(reader->dataVersion(), before);
        writer->add("loss", 1, 0.5);
        QCOMPARE(reader->dataVersion(), before);
        VERIFY_RESULT(writer->flush());
        QVERIFY(reader->dataVersion() != before);
        QCOMPARE(reader->points("loss", kFirst, kLast)->size(), std::size_t(1));
        QCOMPARE(*reader->names(), std::vector<std::string>{"loss"});
    }

    void returnsStatisticsAsTheyWere() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        Random random(5);
        const auto tensor = [&] {
            TensorStatistics statistics;
            statistics.norm = random.normal();
            statistics.minimum = -kInfinity;
            statistics.maximum = random.normal();
            statistics.mean = random.normal();
            statistics.deviation = random.uniform();
            statistics.zeroShare = random.uniform();
            statistics.count = random.integer(0, 1ll << 40);
            statistics.nonFinite = random.integer(0, 3);
            for (auto& bin : statistics.histogram)
                bin = std::uint32_t(random.next());
            return statistics;
        };
        const auto reportAt = [&](std::int64_t iteration) {
            StatisticsReport report{iteration, {}};
            for (const char* name : {"conv1.weight", "conv1.bias", "schön.weight"})
                report.parameters.push_back({name, tensor(), tensor(), random.uniform()});
            return report;
        };
        VERIFY_RESULT(writer->beginSession(0));
        const auto first = reportAt(10), abandoned = reportAt(20), last = reportAt(20);
        writer->add(first);
        writer->add(abandoned);
        VERIFY_RESULT(writer->beginSession(15));
        writer->add(last);
        VERIFY_RESULT(writer->flush());
        const auto reader = readerOf(folder);
        QCOMPARE(*reader->statisticsIterations(), (Iterations{10, 20}));
        for (const auto& expected : {first, last}) {
            const auto found = reader->statistics(expected.iteration);
            VERIFY_RESULT(found);
            QCOMPARE(found->parameters.size(), expected.parameters.size());
            for (std::size_t i = 0; i < expected.parameters.size(); ++i) {
                QCOMPARE(found->parameters[i].name, expected.parameters[i].name);
                QCOMPARE(found->parameters[i].updateToWeight, expected.parameters[i].updateToWeight);
                QCOMPARE(found->parameters[i].gradient.norm, expected.parameters[i].gradient.norm);
                QCOMPARE(found->parameters[i].weight.minimum, -kInfinity);
                QCOMPARE(found->parameters[i].weight.zeroShare, expected.parameters[i].weight.zeroShare);
                QCOMPARE(found->parameters[i].weight.count, expected.parameters[i].weight.count);
                QCOMPARE(found->parameters[i].gradient.nonFinite, expected.parameters[i].gradient.nonFinite);
                QVERIFY(found->parameters[i].gradient.histogram == expected.parameters[i].gradient.histogram);
            }
        }
        QVERIFY(!reader->statistics(11));
    }

    void everyIterationNumberSurvives() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(kFirst));
        const Iterations iterations{kFirst, kFirst + 1, -1, 0, 1, kLast - 1, kLast};
        for (const std::int64_t iteration : iterations)
            writer->add("loss", iteration, 1);
        VERIFY_RESULT(writer->flush());
        QCOMPARE(iterationsOf(*readerOf(folder)->points("loss", kFirst, kLast)), iterations);
    }

    void aLineNeverRunsBackwardsWhateverIsWritten() {
        testing::ScratchFolder folder;
        const auto writer = writerOf(folder);
        VERIFY_RESULT(writer->beginSession(0));
        Random random(9);
        for (int i = 0; i < 4000; ++i)
            writer->add("loss", random.integer(1, 5000), 1);
        VERIFY_RESULT(writer->flush());
        const auto reader = readerOf(folder);
        const auto points = reader->points("loss", 1000, 2000);
        VERIFY_RESULT(points);
        QVERIFY(points->size() > 700 && points->size() < 900); // 800 expected, 25 standard deviation
        QVERIFY(std::is_sorted(points->begin(), points->end(),
                               [](const auto& a, const auto& b) { return a.iteration < b.iteration; }));
        const auto buckets = reader->window("loss", 1000, 2000, 1);
        VERIFY_RESULT(buckets);
        QCOMPARE(buckets->front().count, std::int64_t(points->size()));
    }
};

QTEST_GUILESS_MAIN(tst_Series)
#include "tst_Series.moc"
