#include "core/telemetry/StepReport.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/StateLook.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QPushButton>
#include <QStyle>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace trainyard;

namespace {

/// Relative luminance. Source: WCAG 2.1, definition of contrast ratio.
double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

class tst_Theme : public QObject {
    Q_OBJECT
    /// The colour of the pixel that covers most.
    static QColor inkOf(const QIcon& icon) {
        const QImage image = icon.pixmap(16, 16).toImage().convertToFormat(QImage::Format_ARGB32);
        QColor ink(Qt::transparent);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).alpha() > ink.alpha())
                    ink = image.pixelColor(x, y);
        return ink;
    }

private Q_SLOTS:
    void theButtonsOfAPanelAreSeenInBothThemes() {
        for (const auto choice : {theme::Choice::Light, theme::Choice::Dark}) {
            theme::apply(choice);
            const QColor ground = QApplication::palette().color(QPalette::Window);
            for (const auto which : {QStyle::SP_TitleBarCloseButton, QStyle::SP_TitleBarNormalButton}) {
                const QColor ink = inkOf(QApplication::style()->standardIcon(which));
                QVERIFY(ink.alpha() > 128);
                QVERIFY2(std::abs(ink.lightness() - ground.lightness()) > 100, qPrintable(ink.name()));
            }
        }
        theme::apply(theme::Choice::Light);
    }

    void dialogsCarryNoForeignIcons() {
        theme::apply(theme::Choice::Light);
        const QDialogButtonBox buttons(QDialogButtonBox::Cancel | QDialogButtonBox::Close);
        for (const auto which : {QDialogButtonBox::Cancel, QDialogButtonBox::Close})
            QVERIFY(buttons.button(which)->icon().isNull());
    }

    void initTestCase() { theme::apply(theme::Choice::Light); }

    void coloursStandOutInBothThemes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void coloursStandOutInBothThemes() {
        QFETCH(bool, isDark);
        const QPalette palette = isDark ? theme::darkPalette() : theme::lightPalette();
        QCOMPARE(theme::isDark(palette), isDark);
        const QColor base = palette.color(QPalette::Base);
        for (int at = 0; at < 8; ++at)
            QVERIFY2(contrast(theme::seriesColour(at, palette), base) >= 2.7, qPrintable(QString::number(at)));
        for (const auto tone : {theme::Tone::Good, theme::Tone::Busy, theme::Tone::Waiting, theme::Tone::Warning,
                                theme::Tone::Bad, theme::Tone::Quiet})
            QVERIFY(contrast(theme::toneColour(tone, palette), base) >= 4.0);
        QVERIFY(contrast(theme::dimText(palette), base) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Text), base) >= 7);
    }

    void coloursRepeatWithOtherDashes() {
        const QPalette palette = theme::lightPalette();
        QCOMPARE(theme::seriesColour(0, palette), theme::seriesColour(8, palette));
        QVERIFY(theme::seriesDash(0) != theme::seriesDash(8));
    }

    void everyStateHasWordIconAndMeaning() {
        QSet<QString> words, icons;
        for (int status = int(RunStatus::Queued); status <= int(RunStatus::Lost); ++status) {
            const auto look = theme::stateLook(RunStatus(status));
            QVERIFY(!look.word.isEmpty() && !look.meaning.isEmpty());
            QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(look.icon)), qPrintable(look.icon));
            words.insert(look.word);
        }
        QCOMPARE(words.size(), 9);
    }

    void everyIconIsDrawnSharplyInTheTextColour() {
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(files.size() > 30);
        for (const QString& file : files) {
            if (file == QLatin1String("trainyard.svg"))
                continue;
            const QString name = file.section(QLatin1Char('.'), 0, 0);
            const QPixmap pixmap = theme::iconPixmap(name, 16, 2.0, Qt::red);
            QCOMPARE(pixmap.size(), QSize(32, 32));
            const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
            int inked = 0;
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x)
                    if (qAlpha(image.pixel(x, y)) > 200) {
                        ++inked;
                        QVERIFY(qRed(image.pixel(x, y)) > 200 && qBlue(image.pixel(x, y)) < 40);
                    }
            QVERIFY2(inked > 5, qPrintable(name));
        }
    }

    void iconsFollowTheTheme() {
        const QIcon icon = theme::icon(QStringLiteral("stop"));
        const auto ink = [&] { return icon.pixmap(QSize(32, 32)).toImage().pixelColor(16, 16); };
        theme::apply(theme::Choice::Dark);
        QVERIFY(ink().lightness() > 180);
        theme::apply(theme::Choice::Light);
        QVERIFY(ink().lightness() < 80);
    }

    void writesNumbersForPeople_data() {
        QTest::addColumn<QString>("got");
        QTest::addColumn<QString>("wanted");
        const QString thin(QChar(0x202f));
        QTest::newRow("count") << theme::countText(12400) << "12" + thin + "400";
        QTest::newRow("small count") << theme::countText(999) << "999";
        QTest::newRow("million") << theme::countText(1234567) << "1" + thin + "234" + thin + "567";
        QTest::newRow("loss") << theme::valueText(0.42137) << "0.421";
        QTest::newRow("value") << theme::valueText(12.3456) << "12.35";
        QTest::newRow("tiny") << theme::valueText(1.2345e-5) << "1.23e-5";
        QTest::newRow("NaN") << theme::valueText(std::numeric_limits<double>::quiet_NaN()) << "NaN";
        QTest::newRow("infinite") << theme::valueText(-std::numeric_limits<double>::infinity()) << "−∞";
        QTest::newRow("rate") << theme::rateText(0.01) << "1.0e-2";
        QTest::newRow("exact") << theme::exactText(0.1) << "0.1";
        QTest::newRow("percent") << theme::percentText(0.934) << "93.4" + thin + "%";
        QTest::newRow("seconds") << theme::durationText(3.21) << "3.2 s";
        QTest::newRow("minutes") << theme::durationText(41 * 60) << "41 min";
        QTest::newRow("hours") << theme::durationText(2 * 3600 + 5 * 60) << "2 h 05 min";
        QTest::newRow("days") << theme::durationText(76 * 3600) << "3 d 4 h";
        QTest::newRow("unknown time") << theme::durationText(-1) << "–";
        QTest::newRow("bytes") << theme::bytesText(1'900'000'000) << "1.9" + thin + "GB";
    }
    void writesNumbersForPeople() {
        QFETCH(QString, got);
        QFETCH(QString, wanted);
        QCOMPARE(got, wanted);
    }
};

QTEST_MAIN(tst_Theme)
#include "tst_Theme.moc"
