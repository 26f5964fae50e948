#include "core/solve/WeightAverage.h"

#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <cmath>

using namespace trainyard;

namespace {

Parameter parameterOf(const std::string& name, double value) {
    Parameter parameter{name, at::full({2}, value).set_requires_grad(true), Parameter::Role::Weight, false};
    parameter.value.mutable_grad() = at::ones({2});
    return parameter;
}

void setWeight(const Parameter& parameter, double value) {
    const at::NoGradGuard noGradients;
    parameter.value.detach().fill_(value);
}

double averageOf(const WeightAverage& average, const std::string& name) {
    for (const auto& [own, tensor] : average.state())
        if (own == name)
            return tensor[0].item<double>();
    return std::nan("");
}

} // namespace

class tst_WeightAverage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // a = 0.75 a + 0.25 w, from a = w = 1: with w = 3, then 5: 1.5, then 2.375
    void followsTheRecurrence() {
        const auto weight = parameterOf("w", 1);
        WeightAverage average(0.75, false, {weight});
        QCOMPARE(averageOf(average, "w"), 1.0);
        setWeight(weight, 3);
        average.follow(1);
        QCOMPARE(averageOf(average, "w"), 1.5);
        setWeight(weight, 5);
        average.follow(2);
        QCOMPARE(averageOf(average, "w"), 2.375);
        QCOMPARE(weight.value[0].item<double>(), 5.0); // the weights are as they were
    }

    // TensorFlow's rule: after n updates min(0.9999, (1 + n) / (10 + n)): 2 / 11 after the first one.
    void followsQuicklyAtFirstWhereToldTo() {
        const auto weight = parameterOf("w", 0);
        WeightAverage average(0.9999, true, {weight});
        setWeight(weight, 11);
        average.follow(1);
        QVERIFY(std::abs(averageOf(average, "w") - 9) < 1e-5);
        WeightAverage plain(0.9999, false, {weight});
        setWeight(weight, 10011);
        plain.follow(1);
        QVERIFY(std::abs(averageOf(plain, "w") - 12) < 1e-3);
    }

    void leavesOutWhatHadNoGradientOrIsFrozen() {
        auto frozen = parameterOf("frozen", 1);
        frozen.isFrozen = true;
        auto idle = parameterOf("idle", 1);
        idle.value.mutable_grad().reset();
        WeightAverage average(0.5, false, {frozen, idle});
        QCOMPARE(average.state().size(), std::size_t(1));
        setWeight(idle, 3);
        average.follow(1);
        QCOMPARE(averageOf(average, "idle"), 1.0);
    }

    void changesPlacesAndBack() {
        const auto weight = parameterOf("w", 1);
        WeightAverage average(0.5, false, {weight});
        setWeight(weight, 2);
        average.follow(1);
        average.exchange();
        QCOMPARE(weight.value[0].item<double>(), 1.5);
        QCOMPARE(averageOf(average, "w"), 2.0);
        average.exchange();
        QCOMPARE(weight.value[0].item<double>(), 2.0);
    }

    void goesOnFromItsStateAndRefusesAForeignOne() {
        const auto weight = parameterOf("w", 1);
        WeightAverage average(0.5, false, {weight});
        VERIFY_RESULT(average.setState({{"w", at::full({2}, 7.0f)}}));
        QCOMPARE(averageOf(average, "w"), 7.0);
        const auto lacking = average.setState({{"v", at::ones({2})}});
        QVERIFY(!lacking && lacking.error().what.find("\"w\"") != std::string::npos);
        QVERIFY(!average.setState({{"w", at::ones({3})}}));
        QCOMPARE(averageOf(average, "w"), 7.0);
    }
};

QTEST_GUILESS_MAIN(tst_WeightAverage)
#include "tst_WeightAverage.moc"
