#include "core/data/FontLibrary.h"
#include "core/data/TranscriptRules.h"
#include "tests/core/data/Worlds.h"

#include <set>
#include <thread>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

Result<std::unique_ptr<Dataset>> openRendered(const RunConfig& config, bool isForTraining = true) {
    return open(entryOf("", "", "rendered-words"), TaskKind::Recognition, config, isForTraining);
}

#define NEED_FONTS(config)                                                                                             \
    if (!findFonts({}, {}, U"abc").has_value())                                                                        \
    QSKIP("needs a scalable Latin font")

} // namespace

class tst_RenderedWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMovedFileOfWordsIsTheSameData() {
        NEED_FONTS();
        ScratchFolder folder;
        RunConfig config;
        const auto print = [&](const char* name, const std::string& words) {
            writeText(folder / name, words);
            config.data.rendered.words = (folder / name).string();
            const auto dataset = openRendered(config);
            return dataset ? (*dataset)->fingerprint() : dataset.error().sentence();
        };
        const std::string here = print("here.txt", "cat\ndog\n");
        QCOMPARE(print("there.txt", "cat\ndog\n"), here);
        QVERIFY(print("here.txt", "cat\ndot\n") != here);
        QVERIFY(print("here.txt", "catd\nog\n") != here);
    }

    void isAFunctionOfSeedAndIndex() {
        NEED_FONTS();
        RunConfig config;
        const auto one = openRendered(config), two = openRendered(config);
        VERIFY_RESULT(one);
        QCOMPARE((*one)->size(), Dataset::kEndless);
        for (const std::int64_t index : {0LL, 7LL, 123456789LL}) {
            const auto a = (*one)->sample(index);
            (void)(*two)->sample(index + 1); // what came before does not matter
            const auto b = (*two)->sample(index);
            QVERIFY(a->image.pixels == b->image.pixels);
            QCOMPARE(a->info.transcript, b->info.transcript);
            QCOMPARE((*one)->info(index).transcript, a->info.transcript);
        }
        config.seed = 2;
        const auto other = openRendered(config);
        QVERIFY((*other)->sample(0)->image.pixels != (*one)->sample(0)->image.pixels);
        QVERIFY((*other)->fingerprint() != (*one)->fingerprint());
        QCOMPARE((*two)->fingerprint(), (*one)->fingerprint());
    }

    void isTheSameFromManyThreads() {
        NEED_FONTS();
        const auto alone = openRendered({}), shared = openRendered({});
        std::vector<Result<Sample>> samples(64, Result<Sample>(Sample{}));
        {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    for (std::size_t i = t; i < samples.size(); i += 4)
                        samples[i] = (*shared)->sample(std::int64_t(i));
                });
        }
        for (std::size_t i = 0; i < samples.size(); ++i)
            QVERIFY((*alone)->sample(std::int64_t(i))->image.pixels == samples[i]->image.pixels);
    }

    void staysInsideAlphabetLengthAndSteps() {
        NEED_FONTS();
        RunConfig config;
        config.model.crnn.width = 32; // eight steps
        config.data.rendered.minLength = 4;
        config.data.rendered.maxLength = 9;
        const auto opened = openRendered(config);
        VERIFY_RESULT(opened);
        const WordInput input = wordInput(config.model);
        const Alphabet alphabet(input);
        std::set<char> seen;
        for (int i = 0; i < 2000; ++i) {
            const std::string word = (*opened)->info(i).transcript;
            QVERIFY(word.size() >= 4 && word.size() <= 8);
            QVERIFY(neededSteps(std::u32string(word.begin(), word.end()), alphabet, input) <= 8);
            for (const char c : word)
                QVERIFY(config.model.crnn.alphabet.find(c) != std::string::npos);
            seen.insert(word.begin(), word.end());
        }
        QCOMPARE(seen.size(), config.model.crnn.alphabet.size()); // every character is practised
    }

    void validationWordsAreNeverTrained() {
        NEED_FONTS();
        RunConfig config;
        config.data.rendered.validationCount = 300;
        const auto training = openRendered(config), validation = openRendered(config, false);
        VERIFY_RESULT(validation);
        QCOMPARE((*validation)->size(), 300);
        std::set<std::string> trained;
        for (int i = 0; i < 20000; ++i)
            trained.insert((*training)->info(i).transcript);
        for (int i = 0; i < 300; ++i)
            QVERIFY(!trained.contains((*validation)->info(i).transcript));
    }

    void drawsInkThatStandsOut() {
        NEED_FONTS();
        for (const int channels : {1, 3}) {
            RunConfig config;
            config.model.crnn.channels = channels;
            const auto opened = openRendered(config);
            for (int i = 0; i < 100; ++i) {
                const auto sample = (*opened)->sample(i);
                QCOMPARE(sample->image.channels, channels);
                QVERIFY(sample->image.height >= 12 && sample->image.width >= 8);
                const auto [low, high] = std::minmax_element(sample->image.pixels.begin(), sample->image.pixels.end());
                QVERIFY(*high - *low > 30);
            }
        }
    }

    void takesWordsFromAFile() {
        NEED_FONTS();
        const ScratchFolder folder;
        writeText(folder / "words.txt", "Apple\r\nco-op\nbanana");
        RunConfig config;
        config.data.rendered.words = (folder / "words.txt").string();
        const auto opened = openRendered(config);
        VERIFY_RESULT(opened);
        std::set<std::string> words;
        for (int i = 0; i < 50; ++i)
            words.insert((*opened)->info(i).transcript);
        QCOMPARE(words, (std::set<std::string>{"apple", "banana"}));
        QCOMPARE(countProblems(**opened, "1 words have other characters"), 1);
        writeText(folder / "words.txt", "---\n");
        VERIFY_ERROR(openRendered(config), "words.txt");
    }

    void usesOnlyTheFontsGiven() {
        NEED_FONTS();
        const auto all = findFonts({}, {}, U"abc");
        const std::string family = (*all)[0]->family();
        const auto one = findFonts({family}, {}, U"abc");
        VERIFY_RESULT(one);
        for (const auto& font : *one)
            QCOMPARE(font->family(), family);
        const auto others = findFonts({}, {family}, U"abc");
        if (others)
            for (const auto& font : *others)
                QVERIFY(font->family() != family);
        VERIFY_ERROR(findFonts({"No Such Font"}, {}, U"abc"), "\"No Such Font\" is not installed");
        VERIFY_ERROR(findFonts({}, {}, U"a\U0010FFFD"), "No font has all characters");
        for (const auto& font : *all)
            QVERIFY2(font->drawsLetters(), font->file().c_str());
    }

    void refusesWhatCannotBeWritten() {
        NEED_FONTS();
        RunConfig config;
        config.data.rendered.alphabet = "abc!";
        VERIFY_ERROR(openRendered(config), "\"!\"");
        config.data.rendered.alphabet.clear();
        config.data.rendered.backgrounds = "/nowhere";
        VERIFY_ERROR(openRendered(config), "backgrounds");
    }

    void drawsOnPictures() {
        NEED_FONTS();
        const ScratchFolder folder;
        writePicture(folder / "wall.png", 300, 200);
        RunConfig config;
        config.data.rendered.backgrounds = folder.path().string();
        config.data.rendered.noise = 0;
        const auto opened = openRendered(config);
        VERIFY_RESULT(opened);
        int corners = 0;
        for (int i = 0; i < 20; ++i)
            corners += std::abs(int((*opened)->sample(i)->image.pixels[0]) - 200) <= 2; // the wall's own grey
        QVERIFY(corners >= 12);
    }
};

QTEST_GUILESS_MAIN(tst_RenderedWords)
#include "tst_RenderedWords.moc"
