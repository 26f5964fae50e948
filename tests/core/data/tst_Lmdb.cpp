#include "tests/core/data/Worlds.h"

#include "core/data/LmdbFile.h"

#include <map>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

namespace fs = std::filesystem;

RunConfig wideConfig() {
    RunConfig config;
    config.model.crnn.caseSensitive = false;
    config.model.crnn.alphabet = "abcdefghijklmnopqrstuvwxyzä /0123456789";
    return config;
}

Result<std::unique_ptr<Dataset>> openWords(const fs::path& path, const RunConfig& config = wideConfig()) {
    return open(entryOf(path), TaskKind::Recognition, config, false);
}

/// The stored sample, with bytes of it changed.
void writeDamaged(const fs::path& path, const std::map<std::size_t, char>& changes, std::size_t length = 0) {
    std::string bytes = *readFile(testData("text/words.lmdb"));
    for (const auto& [at, value] : changes)
        bytes.at(at) = value;
    if (length > 0)
        bytes.resize(length);
    writeText(path, bytes);
}

} // namespace

class tst_Lmdb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// words.lmdb is Python's: five samples stated, one without an image, one missing, one label of 3000 bytes.
    void readsWhatPythonWrote() {
        const auto opened = openWords(testData("text/words.lmdb"));
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("lmdb"));
        QCOMPARE(data.size(), 3);
        QCOMPARE(data.info(0).id, std::string("image-000000001"));
        QCOMPARE(data.info(0).transcript, std::string("Ärger am Rand"));
        QCOMPARE(data.info(1).transcript, std::string(3000, 'x'));
        QCOMPARE(data.info(2).transcript, std::string("end"));
        QCOMPARE(countProblems(data, "missing or damaged"), 2);
        QVERIFY(hasProblem(data, "image-000000002", "missing"));
        QVERIFY(hasProblem(data, "image-000000005", "missing"));
        RunConfig colour = wideConfig();
        colour.model.crnn.channels = 3;
        const auto sample = (*openWords(testData("text/words.lmdb"), colour))->sample(2);
        VERIFY_RESULT(sample);
        QCOMPARE(sample->image.width, 24);
        QCOMPARE(sample->image.height, 10);
        QCOMPARE(int(sample->image.pixels[0]), 40);
        QCOMPARE(int(sample->image.pixels[2]), 200);
    }

    /// A folder that may not be written to holds the database before and after: no lock file, no changed time.
    void readsFromAReadOnlyFolder() {
        const ScratchFolder folder;
        const fs::path home = folder / "words";
        fs::create_directory(home);
        fs::copy_file(testData("text/words.lmdb"), home / "data.mdb");
        fs::permissions(home / "data.mdb", fs::perms::owner_read);
        fs::permissions(home, fs::perms::owner_read | fs::perms::owner_exec);
        const std::string before = stateOf(home);
        const auto opened = openWords(home);
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->name(), std::string("words"));
        VERIFY_RESULT((*opened)->sample(0));
        QCOMPARE(stateOf(home), before);
        QCOMPARE((*openWords(home / "data.mdb"))->size(), (*opened)->size());
        fs::permissions(home, fs::perms::owner_all);
    }

    void refusesWhatIsNoDatabase() {
        const ScratchFolder folder;
        writeText(folder / "words.lmdb", "nothing of the kind, but long enough to be one");
        DatasetConfig entry = entryOf(folder / "words.lmdb", "", "lmdb");
        VERIFY_ERROR(open(entry, TaskKind::Recognition), "no LMDB database");
        writeDamaged(folder / "words.lmdb", {{20, 2}});
        VERIFY_ERROR(openWords(folder / "words.lmdb"), "data format 2");
        writeDamaged(folder / "words.lmdb", {{40, 3}});
        VERIFY_ERROR(openWords(folder / "words.lmdb"), "pages of");
        VERIFY_ERROR(open(entry, TaskKind::Detection), "has words (lmdb)");
    }

    void namesWhatACutFileLost() {
        const ScratchFolder folder;
        const std::size_t whole = readFile(testData("text/words.lmdb"))->size();
        bool wasReadInPart = false;
        for (std::size_t length = 4096; length < whole; length += 4096) {
            writeDamaged(folder / "words.lmdb", {}, length);
            const auto opened = openWords(folder / "words.lmdb");
            if (!opened)
                continue;
            wasReadInPart = true;
            QVERIFY(hasProblem(**opened, "words.lmdb", "cut off"));
            for (std::int64_t i = 0; i < (*opened)->size(); ++i)
                VERIFY_RESULT((*opened)->sample(i));
            RunConfig strict = wideConfig();
            strict.data.onDamaged = "stop";
            VERIFY_ERROR(openWords(folder / "words.lmdb", strict), "cut off");
        }
        QVERIFY(wasReadInPart);
    }

    /// Whatever a byte is changed to, reading ends with samples or sentences.
    void survivesDamage() {
        const ScratchFolder folder;
        const std::string bytes = *readFile(testData("text/words.lmdb"));
        Random random(4);
        int whole = 0, refused = 0;
        for (int i = 0; i < 300; ++i) {
            std::map<std::size_t, char> changes;
            const std::size_t page = std::size_t(random.integer(0, std::int64_t(bytes.size() / 4096) - 1)) * 4096;
            for (int change = 0; change < 3; ++change) // the first bytes of a page are its structure
                changes[page + std::size_t(random.integer(0, random.chance(0.5) ? 63 : 4095))] =
                    char(random.integer(0, 255));
            writeDamaged(folder / "words.lmdb", changes);
            const auto opened = openWords(folder / "words.lmdb");
            refused += !opened;
            for (std::int64_t k = 0; opened && k < (*opened)->size(); ++k)
                whole += (*opened)->sample(k).has_value();
        }
        QVERIFY(whole > 0);
        QVERIFY(refused > 0);
    }

    /// MMOCR's toys: images inside, names of images inside, and a JPEG that was cut off on purpose.
    void readsMmocrSamples() {
        NEED_SHARED_DATA(data, "text_samples");
        const std::vector<std::string> texts{"GRAND", "HOTEL",  "HOTEL",   "PACIFIC", "03/09/2009",
                                             "ANING", "Virgin", "america", "ATTACK",  "DAVIDSON"};
        const std::string before = stateOf(data / "mmocr_rec_toy");
        for (const char* name : {"imgs.lmdb", "label.lmdb"}) {
            const auto opened = openWords(data / "mmocr_rec_toy" / name);
            VERIFY_RESULT(opened);
            QCOMPARE((*opened)->size(), 10);
            QVERIFY((*opened)->problems().empty());
            for (int i = 0; i < 10; ++i) {
                QCOMPARE((*opened)->info(i).transcript, texts[std::size_t(i)]);
                const auto sample = (*opened)->sample(i);
                VERIFY_RESULT(sample);
                const auto file = readImage(
                    (data / "mmocr_rec_toy/imgs" / (*openWords(data / "mmocr_rec_toy"))->info(i).id).string(), 1, 0);
                VERIFY_RESULT(file);
                QCOMPARE(sample->image.pixels, file->pixels);
            }
        }
        const auto broken = openWords(data / "mmocr_rec_toy/broken.lmdb");
        VERIFY_RESULT(broken);
        QCOMPARE((*broken)->size(), 1);
        VERIFY_ERROR((*broken)->sample(0), "data.mdb: image-000000001: The image is damaged or cut off");
        QCOMPARE(stateOf(data / "mmocr_rec_toy"), before);
    }
};

QTEST_GUILESS_MAIN(tst_Lmdb)
#include "tst_Lmdb.moc"
