#include "core/outputs/EventMessages.h"
#include "core/outputs/EventOutput.h"
#include "tests/core/outputs/EventReader.h"
#include "tests/support/TestData.h"

#include <cstdlib>
#include <fstream>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// Of the values -2, 1, 0 and 2: magnitudes 2^1, 2^0, nothing and 2^1 are bins 41, 40, 0 and 41.
TensorStatistics fourValues() {
    TensorStatistics statistics;
    statistics.norm = 3;
    statistics.minimum = -2;
    statistics.maximum = 2;
    statistics.mean = 0.25;
    statistics.count = 4;
    statistics.histogram[0] = statistics.histogram[40] = 1;
    statistics.histogram[41] = 2;
    statistics.negatives.assign(TensorStatistics::kBins, 0);
    statistics.negatives[41] = 1;
    return statistics;
}

StepReport stepAt(std::int64_t iteration) {
    StepReport step;
    step.iteration = iteration;
    step.loss = 0.75;
    step.losses = {{"classification", 0.5}, {"size", 0.25}};
    step.metrics = {{"accuracy", 0.125}};
    step.learningRate = 0.5;
    step.gradientNorm = 2.5;
    step.queueFill = 3;
    step.queueCapacity = 4;
    step.memoryBytes = 1048576;
    return step;
}

StatisticsReport statisticsAt(std::int64_t iteration) {
    StatisticsReport report;
    report.iteration = iteration;
    report.regularisation = 0.125;
    report.parameters = {{"conv.weight", fourValues(), fourValues(), 0.1}, {"fixed", fourValues(), {}, 0}};
    return report;
}

/// A little of everything that a run may report.
void report(RunSink& sink) {
    sink.onGraph({1,
                  {{"aten::conv2d",
                    {{"float32", {8, 1, 8, 8}, -1, ""}, {"float32", {4, 1, 3, 3}, -1, "conv.weight"}},
                    {{"float32", {8, 4, 6, 6}, 0, ""}}},
                   {"aten::relu", {{"float32", {8, 4, 6, 6}, 0, ""}}, {{"float32", {8, 4, 6, 6}, 1, ""}}}}});
    for (const std::int64_t iteration : {1, 2, 3, 4, 5, 6}) {
        sink.onStep(stepAt(iteration));
        if (iteration == 1 || iteration % 3 == 0)
            sink.onStatistics(statisticsAt(iteration));
    }
    sink.onPictures({6, {{"InputImage1/image/0", 2, 1, 3, {255, 0, 0, 0, 0, 255}}}, {{"fc1", fourValues()}}});
    sink.onProfile({3, {{"aten::conv2d", 1, 10, 20, "[8, 1, 8, 8]"}}});
    EvaluationReport evaluation;
    evaluation.iteration = 6;
    evaluation.metrics = {{"word_accuracy", 0.25}};
    sink.onEvaluation(evaluation);
}

std::filesystem::path onlyFileIn(const std::filesystem::path& folder) {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!found.empty())
            throw std::runtime_error("more than one event file");
        found = entry.path();
    }
    return found;
}

nlohmann::json expectation() {
    std::ifstream file(testData("outputs/events.json"));
    return nlohmann::json::parse(file);
}

} // namespace

class tst_EventOutput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
    void theReaderKnowsItsChecksums() {
        QCOMPARE(plainCrc32c("123456789"), 0xe3069283u);
        QCOMPARE(plainCrc32c(std::string(32, '\0')), 0x8a9136aau);
        QCOMPARE(plainCrc32c(std::string(32, '\xff')), 0x62a8ab43u);
    }

    // The same expectation that TensorBoard's own reader is held to by read_with_tensorboard.py. A folder named in
    // TRAINYARD_KEEP_EVENTS receives the file, for that script.
    void writesWhatTensorBoardReads() {
        ScratchFolder scratch;
        const char* kept = std::getenv("TRAINYARD_KEEP_EVENTS");
        const std::filesystem::path folder = kept ? std::filesystem::path(kept) : scratch / "events";
        {
            OutputThread thread;
            EventOutput output(folder, thread);
            report(output);
            thread.wait();
            QVERIFY(thread.takeTroubles().empty());
        }
        const auto file = onlyFileIn(folder);
        QVERIFY(file.filename().string().starts_with("events.out.tfevents."));
        auto found = readEvents(file);
        QVERIFY(found["scalars"].erase("global_step/sec") == 1); // the clock's
        QCOMPARE(found.dump(1), expectation().dump(1));
    }

    // A bucket (limit before, limit] holds the values of one sign and one binary exponent.
    void bucketsRiseAndCountEverything() {
        const auto histogram = events::histogramOf(fourValues());
        double count = 0;
        for (std::size_t i = 0; i < histogram.limits.size(); ++i) {
            QVERIFY(i == 0 || histogram.limits[i] > histogram.limits[i - 1]);
            count += histogram.counts[i];
        }
        QCOMPARE(count, 4.0);
        QVERIFY(events::histogramOf({}).counts.size() > 0); // of nothing: empty buckets, no crash
    }

    void aFolderThatIsGoneIsToldOnce() {
        ScratchFolder scratch;
        OutputThread thread;
        EventOutput output(scratch / "gone/events", thread);
        report(output);
        thread.wait();
        const auto troubles = thread.takeTroubles();
        QCOMPARE(troubles.size(), std::size_t(1));
        QVERIFY2(troubles[0].find("No such file") != std::string::npos, troubles[0].c_str());
    }
};

QTEST_GUILESS_MAIN(tst_EventOutput)
#include "tst_EventOutput.moc"
