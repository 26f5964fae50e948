#include "core/base/InputFile.h"
#include "core/outputs/GraphText.h"
#include "core/outputs/RunOutputs.h"
#include "core/outputs/TraceText.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

#include <regex>
#include <sstream>

using namespace trainyard;

namespace {

class Listener final : public RunSink {
public:
    void onEvent(const RunEvent& event) override { events.push_back(event); }
    std::vector<RunEvent> events;
};

GraphReport twoCalls() {
    return {1,
            {{"aten::conv2d",
              {{"float32", {8, 1, 8, 8}, -1, ""}, {"float32", {4, 1, 3, 3}, -1, "conv.weight"}},
              {{"float32", {8, 4, 6, 6}, 0, ""}}},
             {"aten::relu", {{"float32", {8, 4, 6, 6}, 0, ""}}, {{"float32", {8, 4, 6, 6}, 1, ""}}}}};
}

StepReport stepAt(std::int64_t iteration) {
    StepReport step;
    step.iteration = iteration;
    return step;
}

RunConfig configWith(bool isOn) {
    RunConfig config;
    config.solve.iterations = 21;
    config.train.eventFiles = config.train.jsonStats = config.train.graphFiles = isOn;
    return config;
}

} // namespace

class tst_RunOutputs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesWhatIsAskedFor() {
        testing::ScratchFolder folder;
        Listener listener;
        RunOutputs outputs(configWith(true), folder.path(), 0, listener);
        outputs.onInitialValues(
            {{{"conv.weight", {4, 1, 3, 3}, "kaiming normal, deviation 0.1", 0, 0.1, -0.2, 0.2, true}}});
        outputs.onGraph(twoCalls());
        for (std::int64_t i = 1; i <= 21; ++i)
            outputs.onStep(stepAt(i));
        outputs.onProfile({5, {{"aten::conv2d", 7, 1.5, 2.5, "[8]"}}});
        outputs.finish();
        QVERIFY(listener.events.empty());
        for (const char* name : {"graph.txt", "init.txt", "json_stats.log", "trace-5.json"})
            QVERIFY2(std::filesystem::exists(folder / name), name);
        QVERIFY(!std::filesystem::is_empty(folder / "events"));
        const auto lines = readFile(folder / "json_stats.log");
        QCOMPARE(std::count(lines->begin(), lines->end(), '\n'), std::ptrdiff_t(2)); // iter 0 and 20
    }

    void writesNothingElse() {
        testing::ScratchFolder folder;
        Listener listener;
        RunOutputs outputs(configWith(false), folder.path(), 0, listener);
        outputs.onGraph(twoCalls());
        outputs.onStep(stepAt(1));
        outputs.onStatistics({});
        outputs.finish();
        QVERIFY(std::filesystem::is_empty(folder.path()));
    }

    // A second session finds the list of the first and leaves it; its json_stats go on behind the others.
    void aSecondSessionGoesOn() {
        testing::ScratchFolder folder;
        Listener listener;
        for (const std::int64_t finished : {0, 20}) {
            RunOutputs outputs(configWith(true), folder.path(), finished, listener);
            GraphReport graph = twoCalls();
            graph.iteration = finished + 1;
            outputs.onGraph(graph);
            outputs.onStep(stepAt(finished + 1));
            outputs.finish();
        }
        QVERIFY(readFile(folder / "graph.txt")->find("iteration 1:") != std::string::npos);
        const auto lines = readFile(folder / "json_stats.log");
        QCOMPARE(std::count(lines->begin(), lines->end(), '\n'), std::ptrdiff_t(2));
    }

    void tellsWhatCannotBeWritten() {
        testing::ScratchFolder folder;
        Listener listener;
        RunOutputs outputs(configWith(true), folder / "gone", 0, listener);
        for (std::int64_t i = 1; i <= 21; ++i)
            outputs.onStep(stepAt(i));
        outputs.finish();
        QCOMPARE(listener.events.size(), std::size_t(1)); // two lines, one sentence
        QCOMPARE(listener.events[0].kind, EventKind::Warning);
        QVERIFY(listener.events[0].text.find("json_stats") != std::string::npos);
    }

    // Each line: number, operator, inputs with where they come from, outputs.
    void listsOperatorsForParsers() {
        static const std::regex call(
            R"((\d+) (\S+) \(((\S+ \w+ \[[\d, ]*\](; )?)*)\) -> \(((\w+ \[[\d, ]*\](; )?)*)\))");
        std::istringstream lines(graphText(twoCalls()));
        std::string line;
        std::getline(lines, line);
        QVERIFY(line.starts_with("# "));
        std::vector<std::string> names;
        std::smatch match;
        for (; std::getline(lines, line); names.push_back(match[2]))
            QVERIFY2(std::regex_match(line, match, call), line.c_str());
        QCOMPARE(names, (std::vector<std::string>{"aten::conv2d", "aten::relu"}));
        QVERIFY(graphText(twoCalls()).find("conv.weight float32 [4, 1, 3, 3]") != std::string::npos);
        QVERIFY(graphText(twoCalls()).find("(%0 float32 [8, 4, 6, 6])") != std::string::npos);
    }

    // The Trace Event Format's complete events: name, phase X, times in microseconds, process and thread.
    void writesATraceForViewers() {
        const auto trace = nlohmann::json::parse(traceText({5, {{"aten::conv2d", 7, 1.5, 2.5, "[8]"}}}));
        std::size_t complete = 0;
        for (const auto& event : trace.at("traceEvents")) {
            if (event.at("ph") != "X")
                continue;
            ++complete;
            QCOMPARE(event.at("name"), "aten::conv2d");
            QCOMPARE(event.at("ts"), 1.5);
            QCOMPARE(event.at("dur"), 2.5);
            QCOMPARE(event.at("tid"), 7);
            QCOMPARE(event.at("pid"), 1);
        }
        QCOMPARE(complete, std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(tst_RunOutputs)
#include "tst_RunOutputs.moc"
