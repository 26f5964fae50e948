#include "core/data/Inspection.h"
#include "core/data/Split.h"
#include "tests/core/data/Worlds.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace fs = std::filesystem;

namespace {

/// Twelve words of four books.
void makeBooks(const fs::path& folder) {
    std::string labels;
    for (int i = 0; i < 12; ++i) {
        const std::string name = "book" + std::to_string(i % 4) + "_" + std::to_string(i) + ".png";
        writePicture(folder / name, 30 + i, 10);
        labels += name + " word" + std::to_string(i) + "\n";
    }
    writeText(folder / "labels.txt", labels);
}

std::shared_ptr<const Dataset> openBooks(const fs::path& folder) {
    auto opened = open(entryOf(folder), TaskKind::Recognition);
    return opened ? std::shared_ptr<const Dataset>(std::move(*opened)) : nullptr;
}

} // namespace

class tst_Datasets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parsesArguments_data() {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("part");
        QTest::newRow("path") << "/a/b"
                              << "auto"
                              << "/a/b"
                              << "";
        QTest::newRow("part") << "/a/b#test"
                              << "auto"
                              << "/a/b"
                              << "test";
        QTest::newRow("format") << "coco:/a/b.json"
                                << "coco"
                                << "/a/b.json"
                                << "";
        QTest::newRow("all") << "voc:a b#trainval"
                             << "voc"
                             << "a b"
                             << "trainval";
        QTest::newRow("plus") << "folder+labels:x"
                              << "folder+labels"
                              << "x"
                              << "";
        QTest::newRow("a colon in the path") << "/a:b/c"
                                             << "auto"
                                             << "/a:b/c"
                                             << "";
        QTest::newRow("a hash in the path") << "/a#b/c"
                                            << "auto"
                                            << "/a#b/c"
                                            << "";
        QTest::newRow("rendered") << "rendered-words"
                                  << "rendered-words"
                                  << ""
                                  << "";
        QTest::newRow("rendered from a file") << "rendered-words:/w.txt"
                                              << "rendered-words"
                                              << "/w.txt"
                                              << "";
    }

    void parsesArguments() {
        QFETCH(QString, argument);
        const DatasetConfig entry = parseDatasetArgument(argument.toStdString());
        QTEST(QString::fromStdString(entry.format), "format");
        QTEST(QString::fromStdString(entry.path), "path");
        QTEST(QString::fromStdString(entry.part), "part");
    }

    void anExistingPathIsTakenAsItStands() {
        const ScratchFolder folder;
        fs::create_directories(folder / "set#1");
        QCOMPARE(parseDatasetArgument((folder / "set#1").string()).part, std::string());
    }

    void findsFormatsByLooking_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("format");
        QTest::newRow("voc") << "bccd_voc"
                             << "voc";
        QTest::newRow("coco") << "coco_small"
                              << "coco";
        QTest::newRow("coco without instances_") << "balloon_coco"
                                                 << "coco";
        QTest::newRow("coco file") << "balloon_coco/annotations/train.json"
                                   << "coco";
        QTest::newRow("icdar") << "icdar2015_words/train"
                               << "icdar-words";
        QTest::newRow("labels") << "text_samples/clovaai_demo"
                                << "folder+labels";
        QTest::newRow("mmocr") << "text_samples/mmocr_rec_toy"
                               << "folder+labels";
        QTest::newRow("jsonl") << "text_samples/mmocr_rec_toy/old_label.jsonl"
                               << "folder+labels";
        QTest::newRow("pairs") << "archiscribe_lines"
                               << "folder+labels";
        QTest::newRow("none") << "image_edge_cases"
                              << "";
    }

    void findsFormatsByLooking() {
        NEED_SHARED_DATA(data, "bccd_voc");
        QFETCH(QString, name);
        QFETCH(QString, format);
        const auto found = findFormat((data.parent_path() / name.toStdString()).string());
        if (format.isEmpty())
            VERIFY_ERROR(found, "looked for coco");
        else
            QCOMPARE(QString::fromStdString(found ? *found : found.error().sentence()), format);
    }

    void saysWhatIsMissing() {
        const ScratchFolder folder;
        VERIFY_ERROR(open(entryOf(folder / "nowhere"), TaskKind::Detection), "does not exist");
        VERIFY_ERROR(open(entryOf(folder.path()), TaskKind::Detection), "folder is empty");
        VERIFY_ERROR(open(entryOf(folder / "nowhere", "", "voc"), TaskKind::Detection), "does not exist");
        writePicture(folder / "a.png");
        const auto unlabelled = open(entryOf(folder.path()), TaskKind::Detection);
        VERIFY_ERROR(unlabelled, "looked for coco");
        QCOMPARE(unlabelled.error().kind, ErrorKind::Data);
        VERIFY_ERROR(open(entryOf(folder.path(), "", "voc"), TaskKind::Detection), "no VOC annotations");
        VERIFY_ERROR(open(entryOf(folder.path(), "", "coco"), TaskKind::Detection), "no COCO annotation file");
        VERIFY_ERROR(open(entryOf(folder.path(), "", "icdar-words"), TaskKind::Recognition), "gt.txt");
        VERIFY_ERROR(open(entryOf(folder.path(), "", "folder+labels"), TaskKind::Recognition), "labels.txt");
        VERIFY_ERROR(open(entryOf(folder.path(), "", "yodel"), TaskKind::Detection), "no dataset format \"yodel\"");
        writeText(folder / "labels.txt", "a.png word\n");
        VERIFY_ERROR(open(entryOf(folder.path()), TaskKind::Detection), "the model finds objects");
        VERIFY_ERROR(open(entryOf("", "", "rendered-words"), TaskKind::Detection), "the model finds objects");
    }

    void writesNothingAndOpensReadOnlyFolders() {
        const ScratchFolder folder;
        makeBooks(folder.path());
        const std::string before = stateOf(folder.path());
        fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto data = openBooks(folder.path());
        const bool isOpen = data && data->sample(0).has_value();
        if (isOpen)
            inspectDataset(
                *data, {.decodesImages = true, .threads = 2, .endlessCount = 1, .cancellation = {}, .progress = {}});
        fs::permissions(folder.path(), fs::perms::owner_all);
        QVERIFY(isOpen);
        QCOMPARE(stateOf(folder.path()), before);
    }

    void splitsByGroupAndSeed() {
        const ScratchFolder folder;
        makeBooks(folder.path());
        const auto data = openBooks(folder.path());
        QVERIFY(data);
        SplitConfig config;
        config.validationShare = 0.25;
        config.group = "^(book[0-9])_";
        const auto split = splitDataset(data, config);
        VERIFY_RESULT(split);
        QCOMPARE(split->validation->size(), 3); // one book
        QCOMPARE(split->train->size(), 9);
        std::set<std::string> books;
        for (const std::string& id : split->validationIds)
            books.insert(id.substr(0, 5));
        QCOMPARE(books.size(), std::size_t(1));
        QCOMPARE(splitDataset(data, config)->validationIds, split->validationIds);
        QCOMPARE(split->validation->info(0).id, split->validationIds[0]);
        VERIFY_RESULT(split->validation->sample(2));
        const auto again = splitByIds(data, split->validationIds);
        QCOMPARE(again.validation->indices(), split->validation->indices());
        QCOMPARE(again.train->fingerprint(), split->train->fingerprint());
        std::set<std::string> choices;
        for (config.seed = 1; config.seed < 20; ++config.seed)
            choices.insert(splitDataset(data, config)->validationIds[0]);
        QVERIFY(choices.size() > 1);
    }

    void refusesSplitsThatMakeNoSense() {
        const ScratchFolder folder;
        makeBooks(folder.path());
        const auto data = openBooks(folder.path());
        SplitConfig config;
        VERIFY_ERROR(splitDataset(data, config), "one side empty");
        config.validationShare = 0.5;
        config.group = "(";
        VERIFY_ERROR(splitDataset(data, config), "is not a regular expression");
        config.group = "book";
        VERIFY_ERROR(splitDataset(data, config), "1 groups");
    }

    void inspectsWords() {
        const ScratchFolder folder;
        makeBooks(folder.path());
        std::string bytes = *readFile(folder / "book0_0.png");
        writeText(folder / "book0_0.png", bytes.substr(0, bytes.size() / 2));
        const auto data = openBooks(folder.path());
        InspectionOptions options;
        options.decodesImages = true;
        options.threads = 3;
        std::int64_t reported = 0;
        options.progress = [&](std::int64_t done, std::int64_t) { reported = done; };
        const Inspection seen = inspectDataset(*data, options);
        QCOMPARE(seen.samples, 12);
        QCOMPARE(seen.decoded, 11);
        QCOMPARE(seen.damaged, 1);
        QCOMPARE(reported, 12);
        QCOMPARE(seen.problems.back().sample, std::string("book0_0.png"));
        QCOMPARE(seen.characters.at("w"), 12);
        QCOMPARE(seen.characters.at("1"), 4); // 1, 10, 11 twice
        QCOMPARE(seen.lengths.smallest, 5.0);
        QCOMPARE(seen.lengths.largest, 6.0);
        QCOMPARE(seen.widths.smallest, 31.0);
        QCOMPARE(seen.widths.largest, 41.0);
        options.cancellation.cancel();
        QVERIFY(inspectDataset(*data, options).wasCancelled);
    }

    void inspectsBloodCells() {
        NEED_SHARED_DATA(data, "bccd_voc");
        const auto opened = open(entryOf(data, "all"), TaskKind::Detection);
        VERIFY_RESULT(opened);
        const Inspection seen = inspectDataset(**opened);
        QCOMPARE(seen.samples, 364);
        QCOMPARE(seen.objects, 4155 + 372 + 361 - 2);
        QCOMPARE(seen.classes[0].name, std::string("Platelets"));
        QCOMPARE(seen.classes[0].objects, 361);
        QCOMPARE(seen.widths.smallest, 640.0);
        QCOMPARE(seen.heights.largest, 480.0);
        std::int64_t total = 0;
        for (const auto count : seen.boxSizes.counts)
            total += count;
        QCOMPARE(total, seen.objects);
    }

    void fingerprintsChangeWithTheFiles() {
        const ScratchFolder folder;
        makeBooks(folder.path());
        const std::string before = openBooks(folder.path())->fingerprint();
        QCOMPARE(openBooks(folder.path())->fingerprint(), before);
        writePicture(folder / "book0_0.png", 300, 100);
        QVERIFY(openBooks(folder.path())->fingerprint() != before);
    }
};

QTEST_GUILESS_MAIN(tst_Datasets)
#include "tst_Datasets.moc"
