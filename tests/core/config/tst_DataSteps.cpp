#include "core/config/ConfigFile.h"
#include "core/config/DataSteps.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_DataSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The defaults of the specification's table.
    void optionsHaveTheDefaultsOfTheTable_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* step, const char* option, const char* value) {
            QTest::addRow("%s %s", step, option) << step << option << value;
        };
        row("resize_image", "method", "bilinear");
        row("random_pixel_value_scale", "minval", "0.9");
        row("random_pixel_value_scale", "maxval", "1.1");
        row("random_rgb_to_gray", "probability", "0.1");
        row("random_adjust_brightness", "max_delta", "0.2");
        row("random_adjust_contrast", "min_delta", "0.8");
        row("random_adjust_contrast", "max_delta", "1.25");
        row("random_adjust_hue", "max_delta", "0.02");
        row("random_adjust_saturation", "min_delta", "0.8");
        row("random_adjust_saturation", "max_delta", "1.25");
        row("random_distort_color", "color_ordering", "0");
        row("rgb_to_gray", "three_channels", "false");
        row("string_filtering", "lower_case", "false");
        row("normalize_image", "target_maxval", "1");
    }
    void optionsHaveTheDefaultsOfTheTable() {
        QFETCH(QString, step);
        QFETCH(QString, option);
        QFETCH(QString, value);
        QCOMPARE(parseDataStep(step.toStdString()).value().text(option.toStdString()), value.toStdString());
    }

    void optionsAreRead() {
        const auto step = parseDataStep("  random_adjust_contrast  max_delta=1.5 min_delta=0.25 ").value();
        QCOMPARE(step.name, std::string("random_adjust_contrast"));
        QCOMPARE(step.number("min_delta"), 0.25);
        QCOMPARE(step.number("max_delta"), 1.5);
        QCOMPARE(parseDataStep("subtract_channel_mean means=1,2.5,3").value().numbers("means"),
                 (std::vector<double>{1, 2.5, 3}));
        QVERIFY(parseDataStep("rgb_to_gray three_channels=true").value().isSet("three_channels"));
    }

    void wrongStepsAreSentences_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* text, const char* sentence) { QTest::newRow(text) << text << sentence; };
        row("resize_imag", "There is no preprocessing step \"resize_imag\". The nearest is resize_image.");
        row("", "A preprocessing step has no name.");
        row("random_adjust_hue delta=1", "random_adjust_hue has no option \"delta\". The nearest is max_delta.");
        row("random_adjust_hue 0.1", "An option of random_adjust_hue is written name=value, not \"0.1\".");
        row("random_adjust_hue max_delta=2", "random_adjust_hue max_delta must be a number from 0 to 0.5, not \"2\".");
        row("random_adjust_hue max_delta=x", "random_adjust_hue max_delta must be a number from 0 to 0.5, not \"x\".");
        row("random_distort_color color_ordering=2", "must be one of 0, 1, not \"2\".");
        row("resize_image method=cubic", "must be one of bilinear, nearest, bicubic, area, not \"cubic\".");
        row("random_adjust_contrast min_delta=2", "min_delta must not be above max_delta.");
        row("subtract_channel_mean", "subtract_channel_mean means must be numbers with commas between");
        row("random_blur max_sigma=1 max_sigma=2", "random_blur has max_sigma twice.");
        row("image_to_float x=1", "image_to_float has no option \"x\". It has none.");
    }
    void wrongStepsAreSentences() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto step = parseDataStep(text.toStdString());
        QVERIFY(!step.has_value());
        QVERIFY2(step.error().sentence().find(sentence.toStdString()) != std::string::npos,
                 step.error().sentence().c_str());
    }

    void configurationsAreChecked_data() {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("sentence"); // empty where all is well
        const auto row = [](const char* name, const char* yaml, const char* sentence) {
            QTest::newRow(name) << yaml << sentence;
        };
        row("good ones", "data: {steps: [resize_image method=area, random_adjust_hue max_delta=0.1]}", "");
        row("an unknown one", "data: {steps: [resize_image, blurr]}", "data.steps: There is no preprocessing step");
        row("in evaluation", "evaluate: {steps: [blurr]}", "evaluate.steps: There is no preprocessing step");
        row("for a detector", "model: {type: retinanet}\ndata: {steps: [image_to_float]}",
            "data.steps is for words, but a retinanet finds objects");
        row("a mean a channel", "data: {steps: [subtract_channel_mean means=127]}", "");
        row("too many means", "data: {steps: ['subtract_channel_mean means=1,2,3']}",
            "subtract_channel_mean needs a mean for each channel: 1, not 3.");
        row("grey by then", "model: {type: aster}\ndata: {steps: [rgb_to_gray, subtract_channel_mean means=127]}", "");
        row("colour by then", "model: {type: aster}\ndata: {steps: [subtract_channel_mean means=127]}",
            "needs a mean for each channel: 3, not 1.");
        row("a character instead", "data: {on_unknown_character: replace, unknown_character: '0'}", "");
        row("one that is none", "data: {on_unknown_character: replace, unknown_character: '#'}",
            "data.unknown_character must be one character of model.crnn.alphabet");
        row("none", "data: {on_unknown_character: replace}", "data.unknown_character must be one character");
    }
    void configurationsAreChecked() {
        QFETCH(QString, yaml);
        QFETCH(QString, sentence);
        const auto parsed = parseConfig(yaml.toStdString(), "test.yaml");
        QCOMPARE(parsed.isGood(), sentence.isEmpty());
        if (!parsed.isGood())
            QVERIFY2(parsed.error().sentence().find(sentence.toStdString()) != std::string::npos,
                     parsed.error().sentence().c_str());
    }

    void textsAreFiltered_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("filtered");
        QTest::newRow("nothing asked") << "string_filtering"
                                       << "Été 7!"
                                       << "Été 7!";
        QTest::newRow("small letters") << "string_filtering lower_case=true"
                                       << "ÉTÉ Ab"
                                       << "ÉtÉ ab"; // ASCII alone
        QTest::newRow("a set") << "string_filtering include_charset=allcases_symbols"
                               << "Été 7!"
                               << "t7!";
        QTest::newRow("both") << "string_filtering lower_case=true include_charset=lowercase"
                              << "Ab-C9"
                              << "abc9";
        QTest::newRow("capitals go") << "string_filtering include_charset=lowercase"
                                     << "Ab-C9"
                                     << "b9";
        QTest::newRow("characters themselves") << "string_filtering include_charset=xyé"
                                               << "exye\u0301"
                                               << "xyé";
    }
    void textsAreFiltered() {
        QFETCH(QString, step);
        QFETCH(QString, text);
        QFETCH(QString, filtered);
        QCOMPARE(QString::fromStdString(filteredText(parseDataStep(step.toStdString()).value(), text.toStdString())),
                 filtered);
    }
};

QTEST_GUILESS_MAIN(tst_DataSteps)
#include "tst_DataSteps.moc"
