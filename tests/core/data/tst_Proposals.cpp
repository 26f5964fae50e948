#include "core/data/Proposals.h"
#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

struct World {
    ScratchFolder folder;
    World() {
        writeText(folder / "set.json", R"({"images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 20},
                                                     {"id": 7, "file_name": "b.png", "width": 40, "height": 20}],
            "categories": [{"id": 1, "name": "x"}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [3, 2, 10, 5]}]})");
        writePicture(folder / "a.png");
        writePicture(folder / "b.png");
    }
    std::shared_ptr<const Dataset> set() const {
        return std::move(*open(entryOf(folder / "set.json"), TaskKind::Detection));
    }
    Result<Proposals> proposals(const std::string& json) const {
        writeText(folder / "proposals.json", json);
        return readProposals(folder / "proposals.json");
    }
};

} // namespace

class tst_Proposals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsResultsByScore() {
        const World world;
        const auto found = world.proposals(R"([{"image_id": 7, "bbox": [1, 2, 3, 4], "score": 0.25},
            {"image_id": 7, "category_id": 1, "bbox": [5, 6, 7, 8], "score": 0.75},
            {"image_id": "1", "bbox": [0, 0, 9, 9], "score": 1}])");
        VERIFY_RESULT(found);
        QCOMPARE(found->size(), std::size_t(2));
        QVERIFY((found->at(7) == std::vector<Box>{{5, 6, 12, 14}, {1, 2, 4, 6}}));
        QVERIFY((found->at(1) == std::vector<Box>{{0, 0, 9, 9}}));
    }

    void saysWhichEntryIsWrong() {
        const World world;
        VERIFY_ERROR(world.proposals("[{\"image_id\": 1, \"bbox\": [1, 2, 3], \"score\": 1}]"),
                     "proposals.json:1:2: Proposal 0 has no bbox of four numbers.");
        VERIFY_ERROR(world.proposals("[{\"image_id\": 1, \"bbox\": [1, 2, 3, 4]}]"), "Proposal 0 has no score.");
        VERIFY_ERROR(world.proposals("[{\"bbox\": [1, 2, 3, 4], \"score\": 1}]"), "Proposal 0 has no image_id.");
        VERIFY_ERROR(world.proposals("{}"), "not a list of proposals");
    }

    /// By hand, in 40 × 20 pixels.
    void cleans() {
        const std::vector<Box> boxes{{-5, -5, 10, 10},          // cut off
                                     {1.2f, 1, 9, 9},           //
                                     {0.9f, 1.4f, 9.4f, 8.6f},  // rounds to the one before
                                     {5, 5, 7, 15},             // 2 wide
                                     {5, 5, 7.5f, 15},          //
                                     {38, 0, 60, 10},           // 2 wide when cut off
                                     {41, 0, 60, 10},           // outside
                                     {3, 3, std::nanf(""), 10}, //
                                     {0, 0, 40, 20}};
        const std::vector<Box> clean{{0, 0, 10, 10}, {1.2f, 1, 9, 9}, {5, 5, 7.5f, 15}, {0, 0, 40, 20}};
        QVERIFY(cleanProposals(boxes, 40, 20) == clean);
        QCOMPARE(cleanProposals(boxes, 0, 0).size(), std::size_t(6)); // where the size is unknown nothing is cut off
    }

    void comesWithTheSamples() {
        const World world;
        const RunConfig config;
        const DatasetContext context{config, TaskKind::Detection, true, {}};
        const Proposals proposals{{1, {{1, 1, 9, 9}, {1, 1, 9, 9}}}, {7, {{2, 2, 8, 8}}}, {9, {{0, 0, 5, 5}}}};
        const auto set = DatasetWithProposals::make(world.set(), proposals, "p.json", context);
        VERIFY_RESULT(set);
        QCOMPARE((*set)->size(), 2);
        QVERIFY(((*set)->sample(0)->proposals == std::vector<Box>{{1, 1, 9, 9}}));
        QVERIFY(((*set)->sample(1)->proposals == std::vector<Box>{{2, 2, 8, 8}}));
        QCOMPARE(countProblems(**set, "2 of 3 proposals are used"), 1);
        QCOMPARE(countProblems(**set, "Images of other sets in the file: 1."), 1);
        QVERIFY((*set)->fingerprint() != world.set()->fingerprint());
    }

    void proposalsOfAnotherSetAreRefused() {
        const World world;
        const RunConfig config;
        const DatasetContext context{config, TaskKind::Detection, true, {}};
        const auto set = DatasetWithProposals::make(world.set(), {{1, {{1, 1, 9, 9}}}}, "p.json", context);
        VERIFY_ERROR(set, "1 of its 2 images have none, b.png the first.");
        QCOMPARE(set.error().kind, ErrorKind::Data);
    }

    void imagesWithNeitherObjectNorProposalAreGone() {
        const World world;
        RunConfig config;
        config.data.onEmpty = "drop";
        const Proposals proposals{{1, {}}, {7, {{0, 0, 1, 1}}}}; // b: too small to keep
        DatasetConfig entry = entryOf(world.folder / "set.json");
        entry.proposals = "p.json";
        const std::shared_ptr<const Dataset> whole = std::move(*open(entry, TaskKind::Detection, config));
        QCOMPARE(whole->size(), 2); // b may have had some
        const auto training =
            DatasetWithProposals::make(whole, proposals, "p.json", {config, TaskKind::Detection, true, {}});
        QCOMPARE((*training)->size(), 1);
        QCOMPARE((*training)->info(0).id, std::string("a.png"));
        QCOMPARE(countProblems(**training, "left out: 1."), 1);
        const auto validation =
            DatasetWithProposals::make(whole, proposals, "p.json", {config, TaskKind::Detection, false, {}});
        QCOMPARE((*validation)->size(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_Proposals)
#include "tst_Proposals.moc"
