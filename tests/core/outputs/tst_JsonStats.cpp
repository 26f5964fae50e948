#include "core/outputs/JsonStats.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

namespace {

StepReport stepAt(std::int64_t iteration, double loss = 1) {
    StepReport step;
    step.iteration = iteration;
    step.loss = loss;
    step.losses = {{"loss_cls", loss / 4}, {"loss_bbox", 0.75 * loss}};
    step.metrics = {{"accuracy_cls", 0.5}};
    step.learningRate = 0.02;
    step.seconds.total = 0.5;
    step.queueFill = 2;
    step.memoryBytes = 1 << 20;
    return step;
}

nlohmann::json fieldsOf(const std::string& line) {
    const std::string start = "json_stats: ";
    if (!line.starts_with(start))
        throw std::runtime_error("no json_stats line: " + line);
    return nlohmann::json::parse(line.substr(start.size()));
}

/// The lines of a session from after `finished` updates to the last of `iterations`.
std::vector<std::string> linesOf(std::int64_t iterations, std::int64_t finished,
                                 const std::function<StepReport(std::int64_t)>& step) {
    JsonStats stats(iterations, finished);
    std::vector<std::string> lines;
    for (std::int64_t i = finished + 1; i <= iterations; ++i)
        if (const auto line = stats.lineFor(step(i)))
            lines.push_back(*line);
    return lines;
}

} // namespace

class tst_JsonStats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // As Python writes it: keys sorted, numbers with a fraction as strings of six decimals, whole ones as numbers.
    void writesTheWholeLine() {
        JsonStats stats(90, 0);
        QCOMPARE(*stats.lineFor(stepAt(1)),
                 std::string("json_stats: {\"accuracy_cls\": \"0.500000\", \"eta\": \"0:00:45\", \"iter\": 0, "
                             "\"loss\": \"1.000000\", \"loss_bbox\": \"0.750000\", \"loss_cls\": \"0.250000\", "
                             "\"lr\": \"0.020000\", \"mb_qsize\": 2, \"mem\": 1, \"time\": \"0.500000\"}"));
    }

    // Every 20 iterations counted from 0, and the last one.
    void comesEveryTwentyIterationsAndAtTheEnd() {
        std::vector<int> numbers;
        for (const auto& line : linesOf(50, 0, [](std::int64_t i) { return stepAt(i); }))
            numbers.push_back(fieldsOf(line)["iter"]);
        QCOMPARE(numbers, (std::vector<int>{0, 20, 40, 49}));
        numbers.clear();
        for (const auto& line : linesOf(50, 30, [](std::int64_t i) { return stepAt(i); }))
            numbers.push_back(fieldsOf(line)["iter"]);
        QCOMPARE(numbers, (std::vector<int>{40, 49}));
    }

    // Losses 1, 2, …: at iter 0 the median is 1; at iter 20 that of 2 … 21, the last twenty, 11.5; at iter 40 31.5.
    void medianOverTheLastTwenty() {
        const auto lines = linesOf(41, 0, [](std::int64_t i) { return stepAt(i, double(i)); });
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(fieldsOf(lines[0])["loss"], "1.000000");
        QCOMPARE(fieldsOf(lines[1])["loss"], "11.500000");
        QCOMPARE(fieldsOf(lines[1])["loss_cls"], "2.875000");
        QCOMPARE(fieldsOf(lines[2])["loss"], "31.500000");
    }

    // The first 21 iterations take 10 s, the others 1 s: iter 20 still says 10, iter 40 says 1.
    void forgetsTheFirstIterationsTimes() {
        const auto lines = linesOf(61, 0, [](std::int64_t i) {
            StepReport step = stepAt(i);
            step.seconds.total = i <= 21 ? 10 : 1;
            return step;
        });
        QCOMPARE(fieldsOf(lines[1])["time"], "10.000000");
        QCOMPARE(fieldsOf(lines[2])["time"], "1.000000");
        QCOMPARE(fieldsOf(lines[1])["eta"], "0:06:50"); // 10 s times 61 - 20
        QCOMPARE(fieldsOf(lines[2])["eta"], "0:00:21"); // 1 s times 61 - 40
    }

    // From update 30 of a resume on, the reset comes 21 iterations later.
    void timesTheSessionNotTheRun() {
        const auto lines = linesOf(80, 30, [](std::int64_t i) {
            StepReport step = stepAt(i);
            step.seconds.total = i <= 51 ? 10 : 1;
            return step;
        });
        QCOMPARE(fieldsOf(lines[0])["time"], "10.000000"); // iter 40
        QCOMPARE(fieldsOf(lines[1])["time"], "1.000000");  // iter 60
    }

    // Medians of 1 and 2, and of 2 and 3, to the nearest even number; memory is the most so far, in started MiB.
    void roundsTheQueueAndNeverLessMemory() {
        const auto lines = linesOf(61, 0, [](std::int64_t i) {
            StepReport step = stepAt(i);
            step.queueFill = i <= 21 ? 1 + int(i % 2) : 2 + int(i % 2);
            step.memoryBytes = i == 5 ? 5'000'000 : 1'000'000;
            return step;
        });
        QCOMPARE(fieldsOf(lines[0])["mem"], 1);
        QCOMPARE(fieldsOf(lines[1])["mem"], 5); // 4.77 MiB
        QCOMPARE(fieldsOf(lines[2])["mem"], 5);
        QCOMPARE(fieldsOf(lines[1])["mb_qsize"], 2); // 1.5
        QCOMPARE(fieldsOf(lines[3])["mb_qsize"], 2); // 2.5
    }

    // As Python writes datetime.timedelta(seconds=…).
    void writesTimeLeftAsPython() {
        QCOMPARE(timeLeftText(0), std::string("0:00:00"));
        QCOMPARE(timeLeftText(3725), std::string("1:02:05"));
        QCOMPARE(timeLeftText(86399), std::string("23:59:59"));
        QCOMPARE(timeLeftText(93784), std::string("1 day, 2:03:04"));
        QCOMPARE(timeLeftText(180000), std::string("2 days, 2:00:00"));
    }
};

QTEST_GUILESS_MAIN(tst_JsonStats)
#include "tst_JsonStats.moc"
