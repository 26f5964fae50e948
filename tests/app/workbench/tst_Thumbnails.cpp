#include "FakeData.h"
#include "FakeEngine.h"
#include "app/workbench/data/PictureGrid.h"
#include "tests/support/TestData.h"
#include "widgets/theme/Theme.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QtTest>

using namespace trainyard;

namespace {

constexpr std::int64_t kMany = 100'000;

QString in(const testing::ScratchFolder& folder) {
    return QString::fromStdString((folder / "cache").string());
}

ThumbnailCache::Entry greyEntry(int side) {
    QImage image(side, side, QImage::Format_Grayscale8);
    image.fill(128);
    return {image, QSize(4000, 3000)};
}

std::int64_t bytesIn(const QString& folder) {
    std::int64_t bytes = 0;
    QDirIterator walk(folder, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        walk.next();
        bytes += walk.fileInfo().size();
    }
    return bytes;
}

} // namespace

class tst_Thumbnails : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void keepsWhatItWasGiven() {
        const testing::ScratchFolder folder;
        ThumbnailCache cache(in(folder));
        QVERIFY(cache.find("a", 256).isNull());
        cache.store("a", 256, greyEntry(32));
        const auto found = cache.find("a", 256);
        QCOMPARE(found.size, QSize(4000, 3000)); // of the picture, not of the thumbnail
        QCOMPARE(found.image.size(), QSize(32, 32));
        QVERIFY(std::abs(qGray(found.image.pixel(5, 5)) - 128) <= 2); // JPEG
        QVERIFY(cache.find("a", 512).isNull());
        QVERIFY(cache.find("b", 256).isNull());
    }

    void neverGrowsBeyondItsBound() {
        const testing::ScratchFolder folder;
        ThumbnailCache measured(in(folder));
        measured.store("x", 256, greyEntry(64));
        const std::int64_t one = bytesIn(in(folder));
        const std::int64_t bound = 32 * one;
        ThumbnailCache cache(in(folder), bound);
        for (int i = 0; i < 200; ++i) {
            cache.store("picture " + std::to_string(i), 256, greyEntry(64));
            QVERIFY(bytesIn(in(folder)) <= bound + one);
        }
        QVERIFY(bytesIn(in(folder)) > bound / 2);
    }

    void aDamagedFileCountsAsNone() {
        const testing::ScratchFolder folder;
        ThumbnailCache cache(in(folder));
        cache.store("a", 256, greyEntry(32));
        QDirIterator walk(in(folder), QDir::Files, QDirIterator::Subdirectories);
        QFile file(walk.next());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nothing");
        file.close();
        QVERIFY(cache.find("a", 256).isNull());
    }

    void whatWasScrolledAwayIsNotDecoded() {
        const testing::ScratchFolder folder;
        auto data = std::make_shared<testing::FakeData>(kMany);
        data->hold(true);
        ThumbnailLoader loader(std::make_shared<ThumbnailCache>(in(folder)));
        loader.setSource(data, 0);
        std::vector<std::int64_t> first, second;
        for (int i = 0; i < 50; ++i) {
            first.push_back(i);
            second.push_back(70'000 + i);
        }
        loader.want(first, 100);
        data->waitUntilDecoding();
        const auto underWay = data->decoded(); // as many as there are threads
        loader.want(second, 100);
        data->hold(false);
        QTRY_VERIFY(loader.find(70'049));
        for (const std::int64_t sample : data->decoded())
            QVERIFY2(sample >= 70'000 || underWay.contains(sample) || sample < 4, qPrintable(QString::number(sample)));
        QVERIFY(data->decoded().size() <= 50 + 4);
    }

    void theSecondLookDecodesNothing() {
        const testing::ScratchFolder folder;
        auto cache = std::make_shared<ThumbnailCache>(in(folder));
        for (int look = 0; look < 2; ++look) {
            auto data = std::make_shared<testing::FakeData>(10);
            ThumbnailLoader loader(cache);
            loader.setSource(data, 0);
            loader.want({0, 1, 2}, 100);
            QTRY_COMPARE(loader.made(), std::int64_t(3));
            QCOMPARE(data->decoded().size(), std::size_t(look == 0 ? 3 : 0));
        }
    }

    /// Whatever the number of rows, only what is in sight, and a screen before and after, is ever asked for.
    void aHundredThousandRowsAskForWhatIsInSight() {
        const testing::ScratchFolder folder;
        auto data = std::make_shared<testing::FakeData>(kMany);
        auto engine = std::make_shared<testing::FakeEngine>();
        engine->opens([data](const RunConfig&, const std::filesystem::path&,
                             const LookControl&) -> Result<std::shared_ptr<const OpenedData>> { return data; });
        DataSource source;
        RunConfig config;
        config.data.train.emplace_back();
        source.setConfig(config);
        source.setEngine(engine);
        source.setActive(true);
        QTRY_COMPARE(source.state(), DataSource::State::Open);
        ThumbnailLoader loader(std::make_shared<ThumbnailCache>(in(folder)));
        PictureModel model(source, loader);
        model.setSet(0);
        QCOMPARE(model.rowCount(), int(kMany));
        PictureGrid grid(model, loader);
        grid.resize(900, 600);
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        QTRY_VERIFY(loader.find(0));
        for (int step = 1; step <= 200; ++step) // from end to end, without a rest
            grid.verticalScrollBar()->setValue(int(std::int64_t(grid.verticalScrollBar()->maximum()) * step / 200));
        QTRY_VERIFY(loader.find(kMany - 1));
        const auto [first, last] = grid.rowsInSight();
        QCOMPARE(last, int(kMany) - 1);
        QVERIFY(grid.visualRect(model.index(last)).intersects(grid.viewport()->rect()));
        const int inSight = last - first + 1;
        QTRY_VERIFY(loader.find(first));
        QVERIFY(int(data->decoded().size()) <= 8 * inSight);
        grid.setCurrentIndex(model.index(0)); // the keyboard goes anywhere
        QTest::keyClick(&grid, Qt::Key_End);
        QCOMPARE(grid.currentIndex().row(), int(kMany) - 1);
    }

    void theModelKeepsItsPromises() {
        auto data = std::make_shared<testing::FakeData>(20);
        auto engine = std::make_shared<testing::FakeEngine>();
        engine->opens([data](const RunConfig&, const std::filesystem::path&,
                             const LookControl&) -> Result<std::shared_ptr<const OpenedData>> { return data; });
        const testing::ScratchFolder folder;
        DataSource source;
        RunConfig config;
        config.data.train.emplace_back();
        source.setConfig(config);
        source.setEngine(engine);
        source.setActive(true);
        QTRY_VERIFY(source.state() == DataSource::State::Open && source.look(0));
        ThumbnailLoader loader(std::make_shared<ThumbnailCache>(in(folder)));
        PictureModel model(source, loader);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSet(0);
        SampleFilter empty;
        empty.kind = SampleFilter::WithoutObjects;
        model.setSamples(source.look(0)->index.filtered(empty, {}, {}));
        QCOMPARE(model.rowCount(), 7); // 0, 3, 6, … 18
        QCOMPARE(model.sampleAt(1), std::int64_t(3));
        QCOMPARE(model.rowOf(3), 1);
        QCOMPARE(model.rowOf(4), -1);
        model.showAll();
        QCOMPARE(model.rowOf(4), 4);
    }
};

QTEST_MAIN(tst_Thumbnails)
#include "tst_Thumbnails.moc"
