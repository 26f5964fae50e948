#include "app/engine/RecognitionTask.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

class NoWords final : public Dataset {
public:
    TaskKind task() const override { return TaskKind::Recognition; }
    std::string name() const override { return "none"; }
    std::string format() const override { return "folder+labels"; }
    std::int64_t size() const override { return 0; }
    const std::vector<std::string>& classes() const override { return m_none; }
    std::vector<std::int64_t> categoryIds() const override { return {}; }
    SampleInfo info(std::int64_t) const override { return {}; }
    Result<Sample> sample(std::int64_t) const override { return Sample(); }
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return {}; }

private:
    std::vector<std::string> m_none;
    std::vector<DataProblem> m_problems;
};

SampleInfo word(const std::string& transcript, const std::vector<std::string>& lexicon = {}) {
    SampleInfo info;
    info.id = transcript + ".png";
    info.transcript = transcript;
    info.lexicon = lexicon;
    return info;
}

Prediction reading(const std::string& text) {
    Prediction prediction;
    prediction.text = text;
    return prediction;
}

} // namespace

class tst_RecognitionTask : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A60: a sample's own lexicon, where it is asked for and there is one, else that of the file, else the reading.
    void correctsToTheNearestLexicon_data() {
        QTest::addColumn<bool>("usesOwn");
        QTest::addColumn<bool>("hasFile");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("as read") << false << false << QStringList{"lantarm", "harbor"};
        QTest::newRow("own") << true << false << QStringList{"lantern", "harbor"};
        QTest::newRow("the file's") << false << true << QStringList{"landmark", "harbour"};
        QTest::newRow("own, then the file's") << true << true << QStringList{"lantern", "harbour"};
    }
    void correctsToTheNearestLexicon() {
        QFETCH(bool, usesOwn);
        QFETCH(bool, hasFile);
        QFETCH(QStringList, texts);
        ScratchFolder folder;
        std::ofstream(folder / "words.txt") << "landmark\nharbour\n";
        RunConfig config;
        config.evaluate.usesLexicons = usesOwn;
        config.evaluate.lexicon = hasFile ? (folder / "words.txt").string() : "";
        const RecognitionTask task(config);
        VERIFY_RESULT(task.ready());
        const auto scorer = task.makeScorer(NoWords());
        scorer->add(word("lantern", {"landing", "lantern"}), reading("lantarm"));
        scorer->add(word("harbour"), reading("harbor"));
        const std::string lines = scorer->results().front().text;
        const auto first = nlohmann::json::parse(lines.substr(0, lines.find('\n'))),
                   second = nlohmann::json::parse(lines.substr(lines.find('\n')));
        QCOMPARE(first.at("text").get<std::string>(), texts[0].toStdString());
        QCOMPARE(second.at("text").get<std::string>(), texts[1].toStdString());
        QCOMPARE(first.contains("read"), usesOwn || hasFile); // what the model said is kept beside
        const double right = (texts[0] == "lantern") + (texts[1] == "harbour");
        QCOMPARE(scorer->metrics().front().second, right / 2);
        QCOMPARE(task.isWrong(word("harbour"), reading("harbor")), !hasFile);
    }

    void aLexiconThatIsMissingIsASentence() {
        RunConfig config;
        config.evaluate.lexicon = "/nowhere/words.txt";
        QCOMPARE(exitCode(RecognitionTask(config).ready().error().kind), 3);
    }
};

QTEST_GUILESS_MAIN(tst_RecognitionTask)
#include "tst_RecognitionTask.moc"
