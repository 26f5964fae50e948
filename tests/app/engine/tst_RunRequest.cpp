#include "app/engine/RunRequest.h"
#include "core/config/ConfigFile.h"
#include "core/config/Schema.h"
#include "tests/support/TestData.h"

#include <type_traits>

using namespace trainyard;

namespace {

/// A value that the field may have and has not by default.
FieldValue anotherValue(const Field& field) {
    FieldValue value = field.defaultValue;
    std::visit(
        [&](auto& own) {
            using T = std::decay_t<decltype(own)>;
            if constexpr (std::is_same_v<T, bool>) {
                own = !own;
            } else if constexpr (std::is_arithmetic_v<T>) {
                const T before = own;
                for (const double candidate : {double(before) + 1, double(before) / 2, double(before) + 0.1})
                    if (own == before && !field.objection(FieldValue(T(candidate))))
                        own = T(candidate);
            } else if constexpr (std::is_same_v<T, std::string>) {
                own = field.choices.empty() ? own + "x" : own == field.choices[0] ? field.choices[1] : field.choices[0];
            } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
                own = {{"a", "b"}};
            } else if constexpr (std::is_same_v<T, std::vector<DatasetConfig>>) {
                own.emplace_back().path = "/somewhere";
            } else if (own.empty()) {
                own.resize(1);
            } else {
                own.pop_back();
            }
        },
        value);
    return value;
}

} // namespace

class tst_RunRequest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// D73: once a run has started, every key keeps its value but for those that say they may change.
    void onlyWhatMayChangeChanges_data() {
        QTest::addColumn<int>("field");
        const auto& fields = Schema::instance().fields();
        for (std::size_t i = 0; i < fields.size(); ++i)
            QTest::newRow(fields[i].key.c_str()) << int(i);
    }
    void onlyWhatMayChangeChanges() {
        QFETCH(int, field);
        const Field& one = Schema::instance().fields()[std::size_t(field)];
        const RunConfig stored;
        const FieldValue value = anotherValue(one);
        QVERIFY(value != one.defaultValue);
        RunConfig wanted;
        one.write(wanted, value);
        const bool isGood = !one.objection(value) && validate(wanted).empty();
        const auto changed = changedConfig(stored, {one.key + "=" + toText(value)});
        if (isGood && one.change != Change::Never) {
            VERIFY_RESULT(changed);
            QVERIFY(one.read(*changed) != one.defaultValue);
            return;
        }
        QVERIFY(!changed);
        QCOMPARE(changed.error().kind, ErrorKind::Usage);
        if (isGood) {
            QCOMPARE(changed.error().where, one.key);
            QVERIFY2(changed.error().what.starts_with("It cannot change on resume"), changed.error().what.c_str());
        }
    }

    /// What may change is no small part, and neither is what may not.
    void bothKindsAreThere() {
        std::size_t fixed = 0, free = 0;
        for (const Field& one : Schema::instance().fields()) {
            RunConfig wanted;
            one.write(wanted, anotherValue(one));
            if (validate(wanted).empty())
                ++(one.change == Change::Never ? fixed : free);
        }
        QVERIFY2(fixed > 20 && free > 20, (std::to_string(fixed) + " and " + std::to_string(free)).c_str());
    }
};

QTEST_GUILESS_MAIN(tst_RunRequest)
#include "tst_RunRequest.moc"
