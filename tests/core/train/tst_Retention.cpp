#include "core/train/Retention.h"
#include "tests/support/TestData.h"

using namespace trainyard;

namespace {

constexpr std::int64_t kMinute = 60'000'000;

CatalogEntry made(std::int64_t iteration, std::int64_t minute) {
    CatalogEntry entry;
    entry.id = iteration;
    entry.report.iteration = iteration;
    entry.report.wallMicroseconds = minute * kMinute;
    return entry;
}

QList<qint64> iterations(const std::vector<CatalogEntry>& entries) {
    QList<qint64> list;
    for (const CatalogEntry& entry : entries)
        list << entry.report.iteration;
    return list;
}

/// Checkpoints 1 to `count`, one every 20 minutes.
std::vector<CatalogEntry> every20Minutes(int count) {
    std::vector<CatalogEntry> entries;
    for (int i = 1; i <= count; ++i)
        entries.push_back(made(i, 20 * i));
    return entries;
}

} // namespace

class tst_Retention : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheLast() { QCOMPARE(iterations(superfluous(every20Minutes(5), {2, 0})), (QList<qint64>{1, 2, 3})); }

    void keepsOneAtLeast() { QCOMPARE(iterations(superfluous(every20Minutes(3), {0, 0})), (QList<qint64>{1, 2})); }

    void keepsPinnedBestAndFinal() {
        auto entries = every20Minutes(6);
        entries[0].isPinned = entries[2].isBest = entries[3].isFinal = true;
        QCOMPARE(iterations(superfluous(entries, {1, 0})), (QList<qint64>{2, 5}));
    }

    void keepsOneAnHour() { // the first, then minute 80 = 20 + 60, then 140, …
        QCOMPARE(iterations(superfluous(every20Minutes(9), {1, 1.0})), (QList<qint64>{2, 3, 5, 6, 8}));
    }

    void keepsTheSameMilestonesWhenAskedAgain() {
        std::vector<CatalogEntry> entries;
        for (int i = 1; i <= 30; ++i) { // a checkpoint arrives, the rest is tidied, over and over
            entries.push_back(made(i, 20 * i));
            for (const CatalogEntry& gone : superfluous(entries, {2, 1.0}))
                std::erase_if(entries, [&](const CatalogEntry& entry) { return entry.id == gone.id; });
        }
        QCOMPARE(iterations(entries), (QList<qint64>{1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 29, 30}));
    }
};

QTEST_GUILESS_MAIN(tst_Retention)
#include "tst_Retention.moc"
