#include "app/engine/ClassView.h"
#include "app/engine/DataRecord.h"
#include "app/engine/RunRequest.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {
/// A dataset that the test writes down.
class Written final : public Dataset {
public:
    std::vector<SampleInfo> infos;
    std::vector<std::string> names;
    std::vector<std::int64_t> ids;
    std::vector<DataProblem> none;

    TaskKind task() const override { return TaskKind::Detection; }
    std::string name() const override { return "written"; }
    std::string format() const override { return "coco"; }
    std::int64_t size() const override { return std::int64_t(infos.size()); }
    const std::vector<std::string>& classes() const override { return names; }
    std::vector<std::int64_t> categoryIds() const override { return ids; }
    SampleInfo info(std::int64_t index) const override { return infos[std::size_t(index)]; }
    Result<Sample> sample(std::int64_t index) const override { return Sample{{}, info(index).objects, info(index)}; }
    const std::vector<DataProblem>& problems() const override { return none; }
    std::string fingerprint() const override { return std::to_string(infos.size()); }
};

SampleInfo sampleOf(const std::string& id, int label, float x) {
    SampleInfo info;
    info.id = id;
    ObjectAnnotation object;
    object.label = label;
    object.box = {x, 0, x + 10, 10};
    info.objects = {object};
    return info;
}

DatasetConfig entryOf(const std::string& format, const std::string& path = "") {
    DatasetConfig entry;
    entry.format = format;
    entry.path = path;
    return entry;
}

DataRecord recordOf(const Written& dataset) {
    DataRecord record;
    record.add("train", dataset);
    record.finish();
    return record;
}
} // namespace

class TestDataRecord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatWasAddedRemovedAndAltered() {
        Written before;
        before.infos = {sampleOf("a", 0, 1), sampleOf("b", 0, 2), sampleOf("c", 1, 3)};
        Written now = before;
        QVERIFY(dataChanges(recordOf(before), recordOf(now)).empty());
        now.infos = {sampleOf("a", 0, 1), sampleOf("c", 1, 3.5f), sampleOf("d", 0, 4), sampleOf("e", 0, 5)};
        const auto changes = dataChanges(recordOf(before), recordOf(now));
        QCOMPARE(changes.size(), 1u);
        QCOMPARE(changes.front(), std::string("train data written: 2 samples added (d, e), 1 sample removed (b), "
                                              "1 sample altered (c)."));
    }

    void comesBackFromItsFile() {
        ScratchFolder folder;
        const auto none = loadDataRecord(folder.path());
        VERIFY_RESULT(none);
        QVERIFY(none->fingerprint.empty());
        Written dataset;
        dataset.infos = {sampleOf("with \"quotes\" and ä", 0, 1)};
        DataRecord record = recordOf(dataset);
        record.split = {{"x", "y"}, {}};
        VERIFY_RESULT(saveDataRecord(folder.path(), record));
        const auto again = loadDataRecord(folder.path());
        VERIFY_RESULT(again);
        QCOMPARE(again->fingerprint, record.fingerprint);
        QVERIFY(again->sets == record.sets);
        QVERIFY(again->split == record.split);
        QVERIFY(dataChanges(*again, record).empty());
    }

    void bringsLabelsToTheModelsClasses() {
        auto dataset = std::make_shared<Written>();
        dataset->names = {"bar", "disc", "rod"};
        dataset->ids = {4, 9, 11};
        dataset->infos = {sampleOf("a", 0, 1), sampleOf("b", 1, 1), sampleOf("c", 2, 1)};
        const auto view = ClassView::make(dataset, {"disc", "wheel", "bar"});
        VERIFY_RESULT(view);
        QCOMPARE((*view)->info(0).objects.front().label, 2);
        QCOMPARE((*view)->sample(1)->objects.front().label, 0);
        QVERIFY((*view)->info(2).objects.empty()); // the model has no rods
        QCOMPARE((*view)->problems().size(), 1u);
        const auto ids = (*view)->categoryIds();
        QCOMPARE(ids, (std::vector<std::int64_t>{9, 13, 4})); // 13: an id that the file does not use
        QVERIFY(*ClassView::make(dataset, dataset->names) == dataset);
        const auto none = ClassView::make(dataset, {"cat"});
        QVERIFY(!none);
        QVERIFY(none.error().sentence().find("bar, disc, rod") != std::string::npos);
        QVERIFY(none.error().sentence().find("cat") != std::string::npos);
    }

    void refusesChangesOfWhatARunIs() {
        RunConfig stored;
        stored.data.train = {entryOf("rendered-words")};
        QVERIFY(changedConfig(stored, {"solve.base_lr=0.5"})->solve.baseLr == 0.5);
        const auto refused = changedConfig(stored, {"model.crnn.hidden=8"});
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 2);
        QVERIFY(refused.error().where == "model.crnn.hidden");
        QVERIFY(!changedConfig(stored, {"model.crnn.hiden=8"}));
    }

    void namesRunsAfterModelAndData() {
        RunConfig config;
        config.model.type = "crnn";
        QCOMPARE(defaultRunName(config), std::string("crnn"));
        config.data.train = {entryOf("rendered-words")};
        QCOMPARE(defaultRunName(config), std::string("crnn-rendered"));
        config.data.train = {entryOf("auto", "/data/icdar2015_words/train/")};
        QCOMPARE(defaultRunName(config), std::string("crnn-icdar2015_words"));
        config.data.train = {entryOf("coco", "/data/cells/annotations.json")};
        QCOMPARE(defaultRunName(config), std::string("crnn-annotations"));
    }
};

QTEST_GUILESS_MAIN(TestDataRecord)
#include "tst_DataRecord.moc"
