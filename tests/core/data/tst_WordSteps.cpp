#include "core/data/Transforms.h"
#include "tests/core/data/Worlds.h"

#include <cmath>
#include <map>
#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// An ASTER of 4 x 2 pixels, so that nothing is scaled behind the steps.
RunConfig configOf(const std::vector<std::string>& steps, int channels = 3, int width = 4, int height = 2) {
    RunConfig config;
    config.model.type = "aster";
    config.model.aster.channels = channels;
    config.model.aster.width = width;
    config.model.aster.height = height;
    config.data.steps = steps;
    return config;
}

/// Eight pixels of different colours.
Sample colours() {
    Sample sample;
    sample.image = {4, 2, 3, {200, 40,  90,  10, 120, 60,  128, 128, 128, 0,  0,  0,
                              255, 255, 255, 60, 200, 210, 90,  80,  70,  33, 66, 99}};
    return sample;
}

Sample plain(std::uint8_t value, int channels = 3, int width = 4, int height = 2) {
    Sample sample;
    sample.image = plainImage(width, height, channels, value);
    return sample;
}

/// What the steps make of a sample; the numbers of the pixels, whether they are such or bytes.
std::vector<float> through(const RunConfig& config, Sample sample, std::uint64_t seed = 1) {
    Random random(seed);
    makeTransforms(config, TaskKind::Recognition, true).apply(sample, random);
    if (!sample.values.empty())
        return sample.values;
    return {sample.image.pixels.begin(), sample.image.pixels.end()};
}

double meanOf(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values)
        sum += double(value);
    return sum / double(values.size());
}

/// The smallest and largest of what `measure` says of 400 draws, and their mean.
struct Range {
    double least = 1e9, most = -1e9, mean = 0;
};
template <class Measure>
Range rangeOf(const std::string& step, const Sample& sample, const Measure& measure) {
    constexpr int kDraws = 400;
    Range range;
    for (int seed = 0; seed < kDraws; ++seed) {
        const double value = measure(through(configOf({step}), sample, std::uint64_t(seed)));
        range.least = std::min(range.least, value);
        range.most = std::max(range.most, value);
        range.mean += value / kDraws;
    }
    return range;
}

/// Hue in turns, saturation and value by the textbook's formula (Smith 1978), written apart from the code under test.
struct Hsv {
    double hue, saturation, value;
};
Hsv hsvOf(double r, double g, double b) {
    const double most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
    const double hue = range == 0  ? 0
                       : most == r ? std::fmod((g - b) / range / 6 + 1, 1.0)
                       : most == g ? (b - r) / range / 6 + 1.0 / 3
                                   : (r - g) / range / 6 + 2.0 / 3;
    return {hue, most == 0 ? 0 : range / most, most};
}

/// Of two shares of a circle, in [-0.5, 0.5).
double turnBetween(double from, double to) {
    return std::fmod(to - from + 1.5, 1.0) - 0.5;
}

} // namespace

class tst_WordSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void orderIsSeenInTheOutput() {
        // (100 - 50) mapped from 0…255 to 0…1, or 100 mapped and then less 50
        const std::string mean = "subtract_channel_mean means=50,50,50", remap = "normalize_image";
        QVERIFY(std::abs(through(configOf({mean, remap}), plain(100))[0] - 50.F / 255) < 1e-5F);
        QVERIFY(std::abs(through(configOf({remap, mean}), plain(100))[0] - (100.F / 255 - 50)) < 1e-4F);
    }

    void stepsTakeThePlaceOfAugmentation() {
        RunConfig config = configOf({"image_to_float"});
        config.data.brightness = config.data.contrast = config.data.noise = 0.9;
        for (std::uint64_t seed = 0; seed < 20; ++seed)
            QCOMPARE(through(config, plain(100), seed), std::vector<float>(24, 100.F));
    }

    void evaluationHasStepsOfItsOwn() {
        RunConfig config = configOf({"subtract_channel_mean means=1,1,1"});
        config.evaluate.steps = {"subtract_channel_mean means=2,2,2"};
        Sample sample = plain(100);
        Random random(1);
        makeTransforms(config, TaskKind::Recognition, false).apply(sample, random);
        QCOMPARE(sample.values, std::vector<float>(24, 98.F));
    }

    // A ramp of eight pixels scaled to four looks different by each method, so they can be told apart.
    void eachOfFourMethodsIsDrawnAboutAQuarterOfTheTime() {
        Sample ramp;
        ramp.image = {8, 2, 3, {}};
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 8; ++x)
                for (int c = 0; c < 3; ++c)
                    ramp.image.pixels.push_back(std::uint8_t(x * x * 4));
        std::map<std::vector<float>, int> drawn;
        constexpr int kDraws = 2000;
        for (int seed = 0; seed < kDraws; ++seed)
            ++drawn[through(configOf({"resize_image_random_method"}, 3, 3, 2), ramp, std::uint64_t(seed))];
        QCOMPARE(drawn.size(), std::size_t(4));
        for (const auto& [pixels, times] : drawn) // four deviations of a binomial of 2000 and 1/4 are 77
            QVERIFY2(std::abs(times - kDraws / 4) < 80, qPrintable(QString::number(times)));
    }

    void fixedSizesAreKept() {
        const RunConfig config =
            configOf({"resize_image target_width=8 target_height=6 method=nearest", "random_blur"}, 3, 8, 6);
        Sample sample = plain(77);
        sample.objects.resize(1);
        sample.objects[0].polygons = {{{0, 0}, {4, 0}, {4, 2}, {0, 2}}};
        Random random(1);
        makeTransforms(config, TaskKind::Recognition, true).apply(sample, random);
        QCOMPARE(sample.image.width, 8);
        QCOMPARE(sample.image.height, 6);
        QCOMPARE(sample.values, std::vector<float>(8 * 6 * 3, 77.F));
        QCOMPARE(sample.info.scaleX, 2.0);
        QCOMPARE(sample.info.scaleY, 3.0);
        QCOMPARE(sample.objects[0].polygons[0][2], (Point{8, 6})); // outlines move along
    }

    // On the scale from 0 to 255: a delta of 0.2 is 51.
    void brightnessMovesAllAlike() {
        const auto range = rangeOf("random_adjust_brightness", plain(128), [](const auto& values) {
            return double(values[0]) == double(values[23]) ? double(values[0]) - 128 : 1e6;
        });
        QVERIFY(range.least >= -51 && range.least < -45);
        QVERIFY(range.most <= 51 && range.most > 45);
        QVERIFY(std::abs(range.mean) < 5); // the deviation of 400 draws' mean is 1.5
        for (const float value : through(configOf({"random_adjust_brightness max_delta=1"}), plain(250), 3))
            QVERIFY(value >= 0 && value <= 255);
    }

    void contrastKeepsTheMean() {
        Sample halves = plain(100);
        std::fill(halves.image.pixels.begin() + 12, halves.image.pixels.end(), std::uint8_t(140));
        const auto range = rangeOf("random_adjust_contrast", halves, [](const auto& values) {
            return std::abs(meanOf(values) - 120) < 1e-3 ? double(values[23] - values[0]) / 40 : 1e6;
        });
        QVERIFY(range.least >= 0.8 - 1e-5 && range.least < 0.83);
        QVERIFY(range.most <= 1.25 + 1e-5 && range.most > 1.22);
        QVERIFY(std::abs(range.mean - 1.025) < 0.03);
    }

    void hueTurnsEveryColourAlike() {
        const Sample sample = colours();
        const auto range = rangeOf("random_adjust_hue", sample, [&](const auto& values) {
            double turn = 0;
            for (const std::size_t pixel : {0, 1, 5}) { // lively ones
                const auto* was = &sample.image.pixels[3 * pixel];
                const auto before = hsvOf(was[0], was[1], was[2]);
                const auto after =
                    hsvOf(double(values[3 * pixel]), double(values[3 * pixel + 1]), double(values[3 * pixel + 2]));
                if (std::abs(after.saturation - before.saturation) > 1e-4 ||
                    std::abs(after.value - before.value) > 1e-3)
                    return 1e6;
                const double own = turnBetween(before.hue, after.hue);
                if (pixel != 0 && std::abs(own - turn) > 1e-4)
                    return 1e6;
                turn = own;
            }
            return turn;
        });
        QVERIFY(range.least >= -0.0201 && range.least < -0.018);
        QVERIFY(range.most <= 0.0201 && range.most > 0.018);
        QVERIFY(std::abs(range.mean) < 0.003);
    }

    void saturationIsScaled() {
        const Sample sample = colours();
        const auto range = rangeOf("random_adjust_saturation", sample, [&](const auto& values) {
            const auto* was = &sample.image.pixels[18]; // 90, 80, 70: far from pure
            const auto before = hsvOf(was[0], was[1], was[2]);
            const auto after = hsvOf(double(values[18]), double(values[19]), double(values[20]));
            return std::abs(after.value - before.value) < 1e-3 ? after.saturation / before.saturation : 1e6;
        });
        QVERIFY(range.least >= 0.8 - 1e-4 && range.least < 0.83);
        QVERIFY(range.most <= 1.25 + 1e-4 && range.most > 1.22);
    }

    void greyStaysGreyAndWithinBounds_data() {
        QTest::addColumn<QString>("step");
        for (const char* step : {"random_adjust_hue max_delta=0.5", "random_adjust_saturation max_delta=3",
                                 "random_distort_color", "random_distort_color color_ordering=1",
                                 "random_adjust_contrast max_delta=9", "random_pixel_value_scale maxval=3"})
            QTest::newRow(step) << step;
    }
    void greyStaysGreyAndWithinBounds() {
        QFETCH(QString, step);
        const bool keepsGrey = step.startsWith("random_adjust_hue") || step.startsWith("random_adjust_saturation");
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const auto values = through(configOf({step.toStdString()}), colours(), seed);
            for (const float value : values)
                QVERIFY(value >= 0 && value <= 255);
            QVERIFY(!keepsGrey || std::abs(values[6] - values[8]) < 1e-3F); // the third pixel is grey
        }
        // a grey picture has no colours to change
        Sample grey = plain(90, 1);
        const auto values = through(configOf({step.toStdString()}, 1), grey);
        QCOMPARE(values.size(), std::size_t(8));
    }

    void distortionsDifferByTheirOrder() {
        QVERIFY(through(configOf({"random_distort_color"}), colours(), 5) !=
                through(configOf({"random_distort_color color_ordering=1"}), colours(), 5));
    }

    void everyValueIsScaledByItself() {
        const auto values = through(configOf({"random_pixel_value_scale"}), plain(100), 2);
        QCOMPARE(std::set<float>(values.begin(), values.end()).size(), std::size_t(24));
        for (const float value : values)
            QVERIFY(value >= 90 && value <= 110);
    }

    void aTenthBecomesGrey() {
        int grey = 0;
        constexpr int kDraws = 2000;
        for (int seed = 0; seed < kDraws; ++seed) {
            const auto values = through(configOf({"random_rgb_to_gray"}), colours(), std::uint64_t(seed));
            grey += std::abs(values[0] - values[1]) < 1e-3F;
        }
        QVERIFY2(std::abs(grey - 200) < 54, qPrintable(QString::number(grey))); // four deviations
    }

    // ITU-R BT.601: 0.299 × 200 + 0.587 × 40 + 0.114 × 90 = 93.54.
    void coloursBecomeGrey() {
        const auto three = through(configOf({"rgb_to_gray three_channels=true"}), colours());
        QCOMPARE(three.size(), std::size_t(24));
        for (int c = 0; c < 3; ++c)
            QVERIFY(std::abs(three[std::size_t(c)] - 93.54F) < 0.01F);
        const auto one = through(configOf({"rgb_to_gray"}, 1), colours());
        QCOMPARE(one.size(), std::size_t(8));
        QVERIFY(std::abs(one[0] - 93.54F) < 0.01F);
    }

    void meansAreSubtractedChannelByChannel() {
        const auto values = through(configOf({"subtract_channel_mean means=1,2,300"}), plain(10));
        QCOMPARE(values[0], 9.F);
        QCOMPARE(values[1], 8.F);
        QCOMPARE(values[2], -290.F); // numbers may leave a byte's range
    }

    void anUnknownStepIsAnError() {
        QVERIFY_EXCEPTION_THROWN(makeTransforms(configOf({"sharpen"}), TaskKind::Recognition, true),
                                 std::invalid_argument);
    }

    void removedCharactersNeverReachLabels() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        writePicture(path / "a.png");
        writePicture(path / "b.png");
        writeText(path / "labels.txt", "a.png Ab-C9\nb.png ---\n");
        RunConfig config;
        config.data.steps = {"string_filtering lower_case=true include_charset=lowercase"};
        const auto dataset = open(entryOf(path), TaskKind::Recognition, config).value();
        QCOMPARE(dataset->size(), std::int64_t(1)); // nothing is left of the other
        QCOMPARE(dataset->info(0).transcript, std::string("abc9"));
    }

    void widthsFollowTheHeight_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("expected"); // 32 pixels high, 100 wide at most, whole steps of 4
        QTest::newRow("square") << 50 << 50 << 32;
        QTest::newRow("up to a whole step") << 33 << 32 << 36;
        QTest::newRow("wide") << 400 << 40 << 100;
        QTest::newRow("a stroke") << 2 << 64 << 16;
    }
    void widthsFollowTheHeight() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, expected);
        RunConfig config;
        config.model.crnn.variableWidth = true;
        Sample sample = plain(50, 1, width, height);
        Random random(1);
        makeTransforms(config, TaskKind::Recognition, false).apply(sample, random);
        QCOMPARE(sample.image.width, expected);
        QCOMPARE(sample.image.height, 32);
    }
};

QTEST_GUILESS_MAIN(tst_WordSteps)
#include "tst_WordSteps.moc"
