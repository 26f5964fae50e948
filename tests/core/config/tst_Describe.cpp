#include "core/config/Describe.h"
#include "core/config/Schema.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

class tst_Describe : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textNamesEveryField() {
        const auto text = describeText();
        for (const auto& field : Schema::instance().fields()) {
            QVERIFY2(text.find(field.key + " = " + toText(field.defaultValue)) != std::string::npos, field.key.c_str());
            QVERIFY2(text.find(field.help) != std::string::npos, field.key.c_str());
        }
    }

    void filterLooksAtKeysAndHelp() {
        const auto byKey = describeText("WARM_UP");
        QVERIFY(byKey.find("solve.warm_up.iterations = 0 iterations\n") == 0);
        QVERIFY(byKey.find("may change on resume") != std::string::npos);
        QVERIFY(byKey.find("solve.momentum") == std::string::npos);
        QVERIFY(describeText("lstm").find("model.crnn.hidden") != std::string::npos);
        QVERIFY(describeText("no such thing").empty());
    }

    void jsonHoldsTheSchema() {
        const auto all = nlohmann::json::parse(describeJson());
        QCOMPARE(all.size(), Schema::instance().fields().size());
        const auto one = nlohmann::json::parse(describeJson("solve.optimizer"));
        QCOMPARE(one.size(), std::size_t(1));
        QVERIFY(one[0]["choices"] == (std::vector<std::string>{"sgd", "adam", "adadelta", "rmsprop", "nadam"}));
        QCOMPARE(one[0]["default"].get<std::string>(), std::string("sgd"));
        QCOMPARE(one[0]["change"].get<std::string>(), std::string("never"));
        const auto data = nlohmann::json::parse(describeJson("data.train"));
        QCOMPARE(data[0]["entries"].size(), Schema::instance().datasetFields().size());
        const auto rate = nlohmann::json::parse(describeJson("solve.base_lr"));
        QCOMPARE(rate[0]["above"].get<double>(), 0.0);
        QCOMPARE(rate[0]["default"].get<double>(), 0.01);
    }
};

QTEST_GUILESS_MAIN(tst_Describe)
#include "tst_Describe.moc"
