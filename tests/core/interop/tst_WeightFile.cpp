#include "core/base/AtomicFile.h"
#include "core/interop/DetectronFacts.h"
#include "core/interop/TorchFile.h"
#include "core/interop/WeightFile.h"
#include "tests/core/interop/CountedTensors.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

Result<void> store(const std::filesystem::path& path, const TorchValue& value) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    if (auto written = writeTorchFile(*file, value); !written)
        return written.error();
    return file->commit();
}

TorchValue dict(TorchValue::Dict entries) {
    return TorchValue(std::move(entries));
}

} // namespace

class TestWeightFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsEveryKindByLooking_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("first");
        QTest::newRow("zip") << "state_dict.pth"
                             << "PyTorch"
                             << "0.weight";
        QTest::newRow("of PyTorch 2") << "checkpoint_2.pth"
                                      << "PyTorch"
                                      << "0.weight";
        QTest::newRow("old") << "old_layout.pth"
                             << "PyTorch before 1.6"
                             << "0.weight";
        QTest::newRow("nested old") << "old_checkpoint.pth"
                                    << "PyTorch before 1.6"
                                    << "weight";
        QTest::newRow("safetensors") << "weights.safetensors"
                                     << "safetensors"
                                     << "long";
        QTest::newRow("Detectron") << "detectron.pkl"
                                   << "Detectron"
                                   << "conv1_w";
        QTest::newRow("bare blobs") << "detectron_bare.pkl"
                                    << "Detectron"
                                    << "conv1_w";
    }
    void knowsEveryKindByLooking() {
        QFETCH(QString, file);
        QFETCH(QString, format);
        QFETCH(QString, first);
        ScratchFolder folder; // the name says nothing
        std::filesystem::copy_file(testData("interop/" + file.toStdString()), folder / "weights");
        const auto read = readWeightFile(folder / "weights");
        VERIFY_RESULT(read);
        QCOMPARE(QString(formatName(read->format)), format);
        QCOMPARE(QString::fromStdString(read->weights.front().first), first);
    }

    /// With its wrapper, as a bare map (D17), and with texts as Python 2 wrote them.
    void readsDetectronBlobs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("hasConfig");
        QTest::newRow("Python 3") << "detectron.pkl" << true;
        QTest::newRow("Python 2") << "detectron_python2.pkl" << true;
        QTest::newRow("bare") << "detectron_bare.pkl" << false;
    }
    void readsDetectronBlobs() {
        QFETCH(QString, file);
        QFETCH(bool, hasConfig);
        const auto read = readWeightFile(testData("interop/" + file.toStdString()));
        VERIFY_RESULT(read);
        QCOMPARE(read->weights.size(), std::size_t(3)); // neither the momentum nor None
        QVERIFY(isSame(read->weights[0].second, counted({2, 3})));
        QVERIFY(isSame(read->weights[1].second, counted({300})));
        QVERIFY(isSame(read->weights[2].second, counted({2, 3})));
        QCOMPARE(read->optimiserState, std::int64_t(1));
        const DetectronFacts facts = detectronFacts(read->detectronConfig);
        QCOMPARE(facts.hasConfig, hasConfig);
        QCOMPARE(facts.hasBoxWeights, hasConfig);
        QCOMPARE(facts.anchorScales, hasConfig ? 2 : 3);
        QCOMPARE(facts.anchorRatios, hasConfig ? (std::vector<double>{1, 2, 0.5}) : (std::vector<double>{0.5, 1, 2}));
    }

    void findsNestedWeights() {
        ScratchFolder folder;
        const TorchValue weights =
            dict({{"module.a", TorchValue(counted({2}))}, {"module.b", TorchValue(counted({3}))}});
        VERIFY_RESULT(store(folder / "a.pth", dict({{"model", dict({{"state_dict", weights}})},
                                                    {"optimizer", dict({{"a", TorchValue(counted({9}))}})}})));
        const auto file = readWeightFile(folder / "a.pth");
        VERIFY_RESULT(file);
        QCOMPARE(file->weights.size(), std::size_t(2));
        QCOMPARE(file->weights[1].first, std::string("b"));
        QVERIFY(isSame(file->weights[1].second, counted({3})));
    }

    void refusesAFileWithoutWeights() {
        ScratchFolder folder;
        VERIFY_RESULT(store(folder / "none.pth", dict({{"epoch", TorchValue(std::int64_t(3))}})));
        const auto file = readWeightFile(folder / "none.pth");
        QVERIFY(!file);
        QCOMPARE(file.error().what, std::string("The file holds no weights."));
        QCOMPARE(file.error().where, (folder / "none.pth").string());
    }

    void neverRunsWhatIsInAFile() {
        std::filesystem::remove("/tmp/trainyard-was-here");
        for (const char* hostile : {"hostile.pth", "old_hostile.pth", "hostile.pkl"}) {
            const auto file = readWeightFile(testData(std::string("interop/") + hostile));
            QVERIFY(!file);
            QVERIFY2(file.error().what.find("posix system") != std::string::npos, file.error().what.c_str());
        }
        QVERIFY(!std::filesystem::exists("/tmp/trainyard-was-here"));
    }

    void writesByTheEnding() {
        ScratchFolder folder;
        const WeightList weights = {{"b", counted({2, 3})}, {"a", counted({4}, at::kHalf)}};
        for (const char* name : {"a.pth", "a.pt", "a.safetensors"}) {
            VERIFY_RESULT(writeWeightFile(folder / name, weights));
            const auto again = readWeightFile(folder / name);
            VERIFY_RESULT(again);
            QCOMPARE(again->weights.size(), std::size_t(2));
            for (const auto& [key, tensor] : again->weights)
                QVERIFY(isSame(tensor, key == "b" ? weights[0].second : weights[1].second));
        }
        const auto refused = writeWeightFile(folder / "a.pkl", weights);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Usage);
        QVERIFY(!std::filesystem::exists(folder / "a.pkl"));
    }
};

QTEST_GUILESS_MAIN(TestWeightFile)
#include "tst_WeightFile.moc"
