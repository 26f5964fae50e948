#include "app/workbench/EmptyState.h"
#include "app/workbench/data/DataCharts.h"
#include "app/workbench/data/PictureViewer.h"
#include "app/workbench/engine/OpenedSets.h"
#include "core/base/Random.h"
#include "core/data/Transforms.h"
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

#include <fstream>

using namespace trainyard;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

void paint(const std::filesystem::path& path, int width, int height, QColor colour) {
    std::filesystem::create_directories(path.parent_path());
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(colour);
    QVERIFY(image.save(QString::fromStdString(path.string())));
}

/// Four pictures: a cat and a dog; a dog with a polygon and a box without area; nothing; one that is damaged.
void makeWorld(const std::filesystem::path& folder) {
    paint(folder / "images/a.png", 80, 60, Qt::red);
    paint(folder / "images/b.png", 40, 90, Qt::green);
    paint(folder / "images/c.png", 50, 50, Qt::blue);
    write(folder / "images/d.png", "\x89PNG\r\n\x1a\nand no more");
    write(folder / "annotations/instances_train.json",
          R"({"categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
 "images": [{"id": 1, "file_name": "a.png", "width": 80, "height": 60},
            {"id": 2, "file_name": "b.png", "width": 40, "height": 90},
            {"id": 3, "file_name": "c.png", "width": 50, "height": 50},
            {"id": 4, "file_name": "d.png", "width": 50, "height": 50}],
 "annotations": [{"id": 11, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "area": 400, "iscrowd": 0},
                 {"id": 12, "image_id": 1, "category_id": 2, "bbox": [40, 10, 30, 40], "area": 1200, "iscrowd": 0},
                 {"id": 13, "image_id": 2, "category_id": 2, "bbox": [5, 5, 20, 30], "area": 300, "iscrowd": 0,
                  "segmentation": [[5, 5, 25, 5, 25, 35]]},
                 {"id": 14, "image_id": 2, "category_id": 1, "bbox": [30, 60, 0, 0], "area": 0, "iscrowd": 0},
                 {"id": 15, "image_id": 4, "category_id": 2, "bbox": [5, 5, 20, 20], "area": 400, "iscrowd": 0}]})");
}

QString configOf(const std::filesystem::path& folder, const QString& more = {}) {
    return QStringLiteral("model:\n  type: retinanet\ndata:\n  train:\n    - {format: auto, path: \"%1\"}\n%2")
        .arg(QString::fromStdString(folder.string()), more);
}

} // namespace

class tst_DataOnDisk : public QObject, protected testing::DataPageWindow {
    Q_OBJECT
public:
    static void initMain() {
        static QTemporaryDir home; // settings and thumbnails of these tests are nobody else's
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        qputenv("XDG_CACHE_HOME", (home.path() + QStringLiteral("/cache")).toLocal8Bit());
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTest"));
    }

private Q_SLOTS:
    void initTestCase() {
        theme::apply(theme::Choice::Light);
        makeWorld(m_world.path());
    }

    void init() { makeWindow(openSets); }
    void cleanup() { m_window.reset(); }

    void countsClassesAndSizes() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(!page()->charts()->charts().empty());
        const auto charts = page()->charts()->charts();
        QCOMPARE(charts[0]->bars().size(), std::size_t(2));
        QCOMPARE(charts[0]->bars()[0].name, QStringLiteral("cat"));
        QCOMPARE(charts[0]->bars()[0].count, qint64(1)); // the one without area is left out
        QCOMPARE(charts[0]->bars()[1].count, qint64(3));
        QCOMPARE(charts[0]->asText(), QStringLiteral("Objects by Class\tCount\ncat\t1\ndog\t3\n"));
        qint64 boxes = 0;
        for (const auto& bar : charts[1]->bars())
            boxes += bar.count;
        QCOMPARE(boxes, qint64(4));
    }

    void aDamagedPictureIsNamedOnceItIsSeen() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(rowOfProblem("d.png") >= 0);
        const int row = rowOfProblem("d.png");
        QCOMPARE(page()->source()->problems()[std::size_t(row)].problem.severity, DataProblem::Severity::Error);
        QTRY_VERIFY(page()->model()->thumbnail(3));
        QVERIFY(!page()->model()->thumbnail(3)->trouble.isEmpty());
        QVERIFY(page()->showProblem(row));
        QTRY_VERIFY(!page()->viewer()->inFile()->notice().isEmpty());
    }

    void checkingDecodesEveryPicture() {
        open(configOf(m_world.path()));
        QTRY_VERIFY(page()->source()->look(0));
        page()->source()->checkPictures();
        QTRY_VERIFY(page()->source()->isChecked());
        QCOMPARE(page()->source()->look(0)->inspection.decoded, std::int64_t(3));
        QCOMPARE(page()->source()->look(0)->inspection.damaged, std::int64_t(1));
    }

    /// The picture is what the loader would make: the same chain with numbers of (seed, epoch, index, dataset).
    void theNetworkSeesWhatATrainingDraws() {
        open(configOf(m_world.path(), QStringLiteral("seed: 7\n")));
        const auto& config = m_window->configurePage()->document()->parsed().config;
        auto sample = page()->source()->data()->picture(0, 1);
        VERIFY_RESULT(sample);
        Random random(deriveSeed(7, 3, 1, 0));
        makeTransforms(config, TaskKind::Detection, true).apply(*sample, random);
        const auto seen = page()->source()->data()->seen(0, 1, 3);
        VERIFY_RESULT(seen);
        QCOMPARE(seen->sample.image.pixels, sample->image.pixels);
        QCOMPARE(seen->sample.objects.size(), sample->objects.size());
        QVERIFY(seen->steps.size() >= 2);
        QVERIFY(page()->source()->data()->seen(0, 1, 4)->sample.image.pixels != sample->image.pixels);
    }

    void saysWhyDataCannotBeOpened() {
        m_window->configurePage()->document()->begin(configOf(m_world / "gone"));
        m_window->showPage(MainWindow::Data);
        QTRY_COMPARE(page()->source()->state(), DataSource::State::Failed);
        QVERIFY(page()->source()->trouble().contains(QStringLiteral("gone")));
        QVERIFY(page()->emptyState()->isVisible());
    }

    void opensAnewWhenTheConfigurationChanges() {
        open(configOf(m_world.path()));
        m_window->configurePage()->document()->begin(
            configOf(m_world.path(), QStringLiteral("  classes: {cat: animal, dog: animal}\n")));
        QTRY_VERIFY(page()->source()->data() && page()->source()->classes(0) == QStringList{QStringLiteral("animal")});
    }

    void findsTheTwoBoxesWithoutAreaOfBccd() {
        NEED_SHARED_DATA(cells, "bccd_voc");
        open(configOf(cells));
        QTRY_VERIFY(page()->source()->look(page()->source()->data()->sets().size() - 1));
        std::vector<int> rows;
        for (int row = 0; row < page()->problems()->model()->rowCount(); ++row)
            if (page()->source()->problems()[std::size_t(row)].problem.message.find("without area") !=
                std::string::npos)
                rows.push_back(row);
        QCOMPARE(rows.size(), std::size_t(2));
        for (const int row : rows) {
            QVERIFY(page()->showProblem(row));
            QTRY_VERIFY(!page()->viewer()->inFile()->picture().isNull());
            QVERIFY(!page()->viewer()->inFile()->faults().empty());
        }
    }

private:
    testing::ScratchFolder m_world;
};

QTEST_MAIN(tst_DataOnDisk)
#include "tst_DataOnDisk.moc"
