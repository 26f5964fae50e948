#include "app/engine/ProposalFiles.h"
#include "tests/support/TestData.h"

#include <fstream>

using namespace trainyard;
using namespace trainyard::testing;

/// D45: files of both kinds, the pickles as make_proposals.py wrote them.
class tst_ProposalFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The last pixel of Detectron's boxes is theirs; the best comes first; an image without any is there all the same.
    void readsDetectronsPickles_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("ids") << "proposals.pkl";
        QTest::newRow("indexes") << "proposals_old.pkl";
    }
    void readsDetectronsPickles() {
        QFETCH(QString, file);
        const auto found = readProposalFile(testData("interop/" + file.toStdString()));
        VERIFY_RESULT(found);
        QCOMPARE(found->size(), std::size_t(2));
        QVERIFY((found->at(1) == std::vector<Box>{{3, 2, 13, 7}, {3.2F, 2.1F, 13.1F, 7.4F}, {0, 0, 10, 5}}));
        QVERIFY(found->at(7).empty());
        // the second rounds to the pixels of the first
        QVERIFY((cleanProposals(found->at(1), 40, 20) == std::vector<Box>{{3, 2, 13, 7}, {0, 0, 10, 5}}));
    }

    void refuses_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part"); // of the sentence
        QTest::newRow("too few ids") << "proposals_short.pkl"
                                     << "There are 1 images, boxes for 2 and scores for 2.";
        QTest::newRow("other scores") << "proposals_unlike.pkl"
                                      << "The boxes and scores of image 0 do not go together.";
        QTest::newRow("an image twice") << "proposals_twice.pkl"
                                        << "The image 7 is listed twice.";
        QTest::newRow("something else") << "arrays_2.pkl"
                                        << "no list of proposals";
        QTest::newRow("runs a command") << "hostile.pkl"
                                        << "posix system";
        QTest::newRow("missing") << "nowhere.pkl"
                                 << "nowhere.pkl";
    }
    void refuses() {
        QFETCH(QString, file);
        QFETCH(QString, part);
        const auto found = readProposalFile(testData("interop/" + file.toStdString()));
        QVERIFY(!found);
        QVERIFY2(QString::fromStdString(found.error().sentence()).contains(part), found.error().sentence().c_str());
    }

    void readsJson() {
        const ScratchFolder folder;
        std::ofstream(folder / "p.json") << R"([{"image_id": 7, "bbox": [1, 2, 3, 4], "score": 0.25}])";
        const auto found = readProposalFile(folder / "p.json");
        VERIFY_RESULT(found);
        QVERIFY((found->at(7) == std::vector<Box>{{1, 2, 4, 6}}));
    }
};

QTEST_GUILESS_MAIN(tst_ProposalFiles)
#include "tst_ProposalFiles.moc"
