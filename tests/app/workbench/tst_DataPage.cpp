#include "app/workbench/EmptyState.h"
#include "app/workbench/data/DataCharts.h"
#include "app/workbench/data/PictureViewer.h"
#include "tests/app/workbench/DataPageWindow.h"
#include "tests/support/TestData.h"
#include "widgets/pictures/PictureView.h"
#include "widgets/plots/BarsView.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Theme.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

using namespace trainyard;

namespace {

/// Four pictures: a cat and a dog; a dog, and a cat whose box has no area; nothing; a dog in a damaged file.
class SmallWorld final : public OpenedData {
public:
    SmallWorld() {
        OpenedSet set;
        set.name = "small";
        set.format = "coco";
        set.path = "world";
        set.samples = 4;
        set.classes = {"cat", "dog"};
        DataProblem problem;
        problem.sample = "b.png";
        problem.message = "Annotation 14 has a box without area (30 60 30 60); it is left out.";
        problem.box = Box{30, 60, 30, 60};
        set.problems.push_back(problem);
        m_sets.push_back(set);
        m_infos = {infoOf("a.png", 80, 60, {{0, {10, 10, 30, 30}}, {1, {40, 10, 70, 50}}}),
                   infoOf("b.png", 40, 90, {{1, {5, 5, 25, 35}}}), infoOf("c.png", 50, 50, {}),
                   infoOf("d.png", 50, 50, {{1, {5, 5, 25, 25}}})};
    }
    const std::vector<OpenedSet>& sets() const override { return m_sets; }
    SampleInfo info(std::size_t, std::int64_t sample) const override { return m_infos.at(std::size_t(sample)); }
    Result<Sample> picture(std::size_t set, std::int64_t sample) const override {
        if (sample == 3)
            return Error{ErrorKind::Data, "The image is cut off.", "d.png", "Copy it again."};
        Sample made;
        made.info = info(set, sample);
        made.objects = made.info.objects;
        made.image = {made.info.width, made.info.height, 1, {}};
        made.image.pixels.assign(std::size_t(made.info.width * made.info.height), 90);
        return made;
    }
    std::string pictureKey(std::size_t set, std::int64_t sample) const override { return info(set, sample).id; }
    Result<SeenSample> seen(std::size_t set, std::int64_t sample, std::int64_t) const override {
        auto made = picture(set, sample);
        if (!made)
            return made.error();
        return SeenSample{std::move(*made), {"horizontal flip"}, 0, 1};
    }
    Inspection inspect(std::size_t, const InspectionOptions&) const override {
        Inspection inspection;
        inspection.classes = {{"cat", 1, 1}, {"dog", 3, 3}};
        inspection.objects = 4;
        inspection.imagesWithoutObjects = 1;
        inspection.problems = m_sets.front().problems;
        return inspection;
    }

private:
    static SampleInfo infoOf(const std::string& id, int width, int height,
                             const std::vector<std::pair<int, Box>>& objects) {
        SampleInfo info;
        info.id = id;
        info.width = width;
        info.height = height;
        for (const auto& [label, box] : objects) {
            ObjectAnnotation object;
            object.label = label;
            object.box = box;
            info.objects.push_back(object);
        }
        return info;
    }

    std::vector<OpenedSet> m_sets;
    std::vector<SampleInfo> m_infos;
};

QString configOf(const std::filesystem::path& folder, const QString& more = {}) {
    return QStringLiteral("model:\n  type: retinanet\ndata:\n  train:\n    - {format: auto, path: \"%1\"}\n%2")
        .arg(QString::fromStdString(folder.string()), more);
}

} // namespace

class tst_DataPage : public QObject, protected testing::DataPageWindow {
    Q_OBJECT
public:
    static void initMain() {
        static QTemporaryDir home; // settings and thumbnails of these tests are nobody else's
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        qputenv("XDG_CACHE_HOME", (home.path() + QStringLiteral("/cache")).toLocal8Bit());
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTest"));
    }

private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void init() { makeSmallWorld(); }
    void cleanup() { m_window.reset(); }

    void withoutDataItOffersAFolder() {
        m_window->showPage(MainWindow::Data);
        QCOMPARE(page()->source()->state(), DataSource::State::NoData);
        const auto buttons = page()->emptyState()->findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), qsizetype(2));
        Q_EMIT page()->folderChosen(QString::fromStdString(m_world.path().string()));
        QCOMPARE(m_window->configurePage()->document()->parsed().config.data.train.front().path,
                 m_world.path().string());
        QTRY_COMPARE(page()->model()->rowCount(), 4);
    }

    void showsEverySampleOfTheSet() {
        open(configOf(m_world.path()));
        QCOMPARE(page()->model()->index(0).data().toString(), QStringLiteral("a.png"));
        QCOMPARE(page()->model()->index(0).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("a.png, 2 object(s)"));
        QTRY_VERIFY(page()->model()->thumbnail(0));
        const AnnotatedPicture& picture = page()->model()->thumbnail(0)->picture;
        QCOMPARE(picture.size, QSizeF(80, 60));
        QCOMPARE(picture.objects.size(), std::size_t(2));
        QCOMPARE(picture.objects.front().box, QRectF(40, 10, 30, 40)); // the larger one beneath
    }

    void filtersByClassWordsAndProblems() {
        open(configOf(m_world.path()));
        auto* search = page()->findChild<QLineEdit*>();
        const auto kinds = page()->findChildren<QComboBox*>();
        QTRY_VERIFY(page()->source()->look(0));
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(search, QStringLiteral("CAT"));
        QTRY_COMPARE(page()->model()->rowCount(), 1);
        QCOMPARE(page()->model()->sampleAt(0), std::int64_t(0));
        search->setText(QStringLiteral("nothing is called so"));
        QTRY_COMPARE(page()->model()->rowCount(), 0);
        QTest::keyClick(search, Qt::Key_Escape);
        QTRY_COMPARE(page()->model()->rowCount(), 4);
        for (QComboBox* kind : kinds)
            if (kind->accessibleName() == QStringLiteral("Pictures shown")) {
                kind->setCurrentIndex(kind->findText(QStringLiteral("Without Objects")));
                QTRY_COMPARE(page()->model()->rowCount(), 1);
                QCOMPARE(page()->model()->sampleAt(0), std::int64_t(2));
                kind->setCurrentIndex(kind->findText(QStringLiteral("dog")));
                QTRY_COMPARE(page()->model()->rowCount(), 3);
            }
    }

    void aProblemLeadsToItsPictureAndPlace() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(page()->source()->look(0));
        QTRY_COMPARE(rowOfProblem("b.png") >= 0, true);
        page()->findChild<QLineEdit*>()->setText(QStringLiteral("a.png")); // the filter hides it
        QTRY_COMPARE(page()->model()->rowCount(), 1);
        auto* table = page()->problems();
        table->setCurrentIndex(table->model()->index(rowOfProblem("b.png"), 0));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(page()->isViewerOpen());
        QCOMPARE(page()->viewer()->sample(), std::int64_t(1));
        QTRY_VERIFY(!page()->viewer()->inFile()->picture().isNull());
        QCOMPARE(page()->viewer()->inFile()->faults().size(), std::size_t(1));
        QCOMPARE(page()->viewer()->inFile()->faults().front().topLeft(), QPointF(30, 60));
        QVERIFY(page()->viewer()->problemLabel()->text().contains(QStringLiteral("without area")));
        QTest::keyClick(page()->viewer()->inFile(), Qt::Key_Escape);
        QVERIFY(!page()->isViewerOpen());
        QCOMPARE(page()->grid()->currentIndex().data(PictureModel::SampleRole).toLongLong(), qint64(1));
    }

    void walksAndDrawsWithKeys() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(page()->source()->look(0));
        page()->grid()->setCurrentIndex(page()->model()->index(0));
        QTest::keyClick(page()->grid(), Qt::Key_Return);
        QTRY_VERIFY(page()->isViewerOpen() && !page()->viewer()->inFile()->picture().isNull());
        QTest::keyClick(page()->viewer()->inFile(), Qt::Key_Right);
        QCOMPARE(page()->viewer()->sample(), std::int64_t(1));
        QTRY_COMPARE(page()->viewer()->inFile()->picture().size, QSizeF(40, 90));
        QTest::keyClick(page()->viewer()->inFile(), Qt::Key_Down);
        QCOMPARE(page()->viewer()->draw(), std::int64_t(1));
        QTRY_VERIFY(page()->viewer()->seenTitle()->text().contains(QStringLiteral("epoch 2")));
        QTest::keyClick(page()->viewer()->inFile(), Qt::Key_Left);
        QCOMPARE(page()->viewer()->sample(), std::int64_t(0));
    }

    void comesBackWhereItWas() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(page()->source()->look(0));
        page()->grid()->setSizeStep(4);
        page()->grid()->showSample(2);
        page()->grid()->opened(2);
        const QJsonObject settings = page()->settings();
        makeSmallWorld();
        page()->setSettings(settings);
        open(configOf(m_world.path()));
        QTRY_VERIFY(page()->isViewerOpen());
        QCOMPARE(page()->viewer()->sample(), std::int64_t(2));
        QCOMPARE(page()->grid()->sizeStep(), 4);
    }

    void damageJoinsTheProblemsOnceItIsSeen() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(rowOfProblem("d.png") >= 0);
        QVERIFY(rowOfProblem("d.png") < rowOfProblem("b.png")); // the gravest first
        QVERIFY(page()->showProblem(rowOfProblem("d.png")));
        QTRY_VERIFY(page()->viewer()->inFile()->notice().contains(QStringLiteral("cut off")));
    }

    void aClickOnAClassShowsItsPictures() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(!page()->charts()->charts().empty());
        BarsView* classes = page()->charts()->charts().front();
        QCOMPARE(classes->asText(), QStringLiteral("Objects by Class\tCount\ncat\t1\ndog\t3\n"));
        QTest::keyClick(classes, Qt::Key_Right);
        QTest::keyClick(classes, Qt::Key_Return);
        QTRY_COMPARE(page()->model()->rowCount(), 1);
        QCOMPARE(page()->model()->sampleAt(0), std::int64_t(0));
    }

private:
    void makeSmallWorld() {
        makeWindow([](const RunConfig&, const std::filesystem::path&,
                      const LookControl&) -> Result<std::shared_ptr<const OpenedData>> {
            return std::make_shared<const SmallWorld>();
        });
    }

    testing::ScratchFolder m_world;
};

QTEST_MAIN(tst_DataPage)
#include "tst_DataPage.moc"
