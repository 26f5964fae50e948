#include "core/data/ConcatenatedDataset.h"
#include "core/data/RepeatFactors.h"
#include "core/data/Split.h"
#include "tests/core/data/Worlds.h"

#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// `count` images; image i has one object of each of `labels[i]`.
std::shared_ptr<const Dataset> setOf(const std::filesystem::path& folder, const std::string& name,
                                     const std::vector<std::vector<int>>& labels) {
    std::string images, annotations;
    int number = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string file = name + std::to_string(i) + ".png";
        images += (i ? "," : "") + ("{\"id\": " + std::to_string(i)) + ", \"file_name\": \"" + file +
                  "\", \"width\": 40, \"height\": 20}";
        for (const int label : labels[i]) {
            ++number;
            annotations += (annotations.empty() ? "" : ",") + ("{\"id\": " + std::to_string(number)) +
                           ", \"image_id\": " + std::to_string(i) + ", \"category_id\": " + std::to_string(label) +
                           ", \"bbox\": [" + std::to_string(number) + ", 2, 5, 5]}";
        }
        writePicture(folder / file);
    }
    writeText(folder / (name + ".json"), "{\"images\": [" + images +
                                             "], \"categories\": [{\"id\": 0, \"name\": \"common\"}, {\"id\": 1, "
                                             "\"name\": \"rare\"}], \"annotations\": [" +
                                             annotations + "]}");
    return std::move(*open(entryOf(folder / (name + ".json")), TaskKind::Detection));
}

} // namespace

/// Datasets made of others.
class tst_DatasetViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void severalSetsAreOneInTheirOrder() {
        const ScratchFolder folder;
        const auto a = setOf(folder.path(), "a", {{0}, {0}, {1}}), b = setOf(folder.path(), "b", {{1}, {0}});
        const ConcatenatedDataset both({a, b, a});
        QCOMPARE(both.size(), 8); // counts add up
        std::vector<std::string> ids;
        for (std::int64_t i = 0; i < both.size(); ++i) {
            ids.push_back(both.info(i).id);
            QCOMPARE(both.sample(i)->info.id, ids.back());
        }
        QCOMPARE(ids, (std::vector<std::string>{"a0.png", "a1.png", "a2.png", "b0.png", "b1.png", "a0.png", "a1.png",
                                                "a2.png"}));
        QCOMPARE(both.name(), std::string("a.json + b.json + a.json"));
        QVERIFY(ConcatenatedDataset({a, b}).fingerprint() != ConcatenatedDataset({b, a}).fingerprint());
        QVERIFY_EXCEPTION_THROWN((void)both.info(8), std::out_of_range);
    }

    /// By hand: "common" is in all 16 images, "rare" in one of them; the threshold is a quarter.
    void rareClassesAreRepeated() {
        const ScratchFolder folder;
        std::vector<std::vector<int>> labels(16, {0});
        labels[5] = {0, 1};
        labels[6] = {};
        const auto factors = repeatFactors(*setOf(folder.path(), "a", labels), 0.25);
        for (std::size_t i = 0; i < factors.size(); ++i)
            QCOMPARE(factors[i], i == 5 ? 2.0 : 1.0); // sqrt(0.25 / (1 / 16))
        const auto indices = repeatedIndices(factors, 1);
        QCOMPARE(indices.size(), std::size_t(17));
        QCOMPARE(std::count(indices.begin(), indices.end(), 5), 2);
        QVERIFY(std::is_sorted(indices.begin(), indices.end()));
    }

    void fractionsAreDealtOutEvenly() {
        const std::vector<double> factors(1000, 1.37);
        const auto indices = repeatedIndices(factors, 3);
        QVERIFY(std::abs(double(indices.size()) - 1370.0) <= 1);
        for (std::int64_t i = 0; i < 1000; ++i) {
            const auto copies = std::count(indices.begin(), indices.end(), i);
            QVERIFY(copies == 1 || copies == 2);
        }
        QCOMPARE(repeatedIndices(factors, 3), indices); // a function of the seed
        QVERIFY(repeatedIndices(factors, 4) != indices);
    }

    void repeatsAreSeenThroughAView() {
        const ScratchFolder folder;
        const auto whole = setOf(folder.path(), "a", {{0}, {1}});
        const DatasetView view(whole, {0, 1, 1});
        QCOMPARE(view.size(), 3);
        QCOMPARE(view.sample(2)->info.id, std::string("a1.png"));
        QVERIFY(view.fingerprint() != DatasetView(whole, {0, 1}).fingerprint());
    }
};

QTEST_GUILESS_MAIN(tst_DatasetViews)
#include "tst_DatasetViews.moc"
