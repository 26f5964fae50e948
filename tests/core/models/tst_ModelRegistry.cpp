#include "core/models/ModelRegistry.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

class tst_ModelRegistry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void makesEveryTypeThatTheConfigurationOffers() {
        std::vector<std::string> offered;
        for (const ModelType& type : modelTypes())
            offered.push_back(type.name);
        std::sort(offered.begin(), offered.end());
        QCOMPARE(ModelRegistry::standard().names(), offered);
    }

    void everyModelIsFloatAndChannelsLast() {
        for (const std::string& name : ModelRegistry::standard().names()) {
            RunConfig config;
            config.model.type = name;
            const auto model = makeModel(config, {{"one", "two"}, 1});
            VERIFY_RESULT(model);
            for (const auto& item : (*model)->named_parameters()) {
                QCOMPARE(item.value().scalar_type(), torch::kFloat);
                QVERIFY2(item.value().dim() != 4 || item.value().is_contiguous(torch::MemoryFormat::ChannelsLast),
                         item.key().c_str());
            }
            QCOMPARE((*model)->classDependent().empty(), name == "rpn"); // which proposes objects of any class
            for (const std::string& prefix : (*model)->classDependent()) {
                const auto names = (*model)->named_parameters().keys();
                QVERIFY2(std::any_of(names.begin(), names.end(),
                                     [&](const auto& name) { return name.rfind(prefix, 0) == 0; }),
                         prefix.c_str());
            }
        }
    }

    void batchMovesWhole() {
        Batch batch;
        batch.images = torch::ones({2, 3, 4, 4});
        batch.targets["labels"] = torch::ones({3}, torch::kLong);
        batch.samples.resize(2);
        const Batch same = batch.to(torch::kCPU);
        QVERIFY(same.images.is_same(batch.images));
        QVERIFY(same.targets.at("labels").is_same(batch.targets.at("labels")));
        QCOMPARE(same.size(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_ModelRegistry)
#include "tst_ModelRegistry.moc"
