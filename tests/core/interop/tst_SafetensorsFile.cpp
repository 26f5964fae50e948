#include "core/base/AtomicFile.h"
#include "core/interop/SafetensorsFile.h"
#include "core/interop/WeightFile.h"
#include "tests/core/interop/CountedTensors.h"
#include "tests/support/TestData.h"

#include <cstring>
#include <map>

using namespace trainyard;
using namespace trainyard::testing;
using namespace std::string_literals;

namespace {

Result<WeightList> read(const std::filesystem::path& path) {
    const auto file = InputFile::open(path, ErrorKind::Damaged);
    return file ? readSafetensorsFile(*file) : file.error();
}

/// A file of this head and so many bytes behind it.
std::string fileOf(const std::string& head, std::size_t bytes) {
    const std::uint64_t length = head.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file + head + std::string(bytes, 'x');
}

} // namespace

class TestSafetensorsFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAFileOfPython() {
        const auto weights = read(testData("interop/weights.safetensors"));
        VERIFY_RESULT(weights);
        const std::map<std::string, at::Tensor> found(weights->begin(), weights->end());
        QCOMPARE(found.size(), std::size_t(8));
        QVERIFY(isSame(found.at("weight"), counted({2, 3})));
        QVERIFY(isSame(found.at("half"), counted({4}, at::kHalf)));
        QVERIFY(isSame(found.at("double"), counted({2}, at::kDouble)));
        QVERIFY(isSame(found.at("long"), counted({3}, at::kLong)));
        QVERIFY(isSame(found.at("byte"), counted({5}, at::kByte)));
        QVERIFY(isSame(found.at("flags"), at::tensor({1, 0}).to(at::kBool)));
        QCOMPARE(found.at("none").sizes().vec(), (std::vector<std::int64_t>{0, 3}));
        QVERIFY(isSame(found.at("one"), at::scalar_tensor(7.0f)));
    }

    void readsWhatItWrote() {
        ScratchFolder folder;
        const WeightList weights = {{"größer ≥ \"1\"", counted({2, 3}).t()}, {"brain", counted({4}, at::kBFloat16)},
                                    {"small", counted({3}, at::kChar)},      {"short", counted({3}, at::kShort)},
                                    {"int", counted({3}, at::kInt)},         {"empty", at::zeros({0})},
                                    {"flags", at::ones({2}, at::kBool)}};
        VERIFY_RESULT(writeWeightFile(folder / "a.safetensors", weights));
        const auto again = read(folder / "a.safetensors");
        VERIFY_RESULT(again);
        QCOMPARE(again->size(), weights.size());
        const std::map<std::string, at::Tensor> found(again->begin(), again->end());
        for (const auto& [name, tensor] : weights)
            QVERIFY2(isSame(found.at(name), tensor), name.c_str());
        const auto bytes = readFile(folder / "a.safetensors");
        std::uint64_t length = 0;
        std::memcpy(&length, bytes->data(), sizeof length);
        QCOMPARE(length % 8, std::uint64_t(0)); // tensors begin where the format wants them
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& bytes, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << part;
        };
        const auto entry = [](const std::string& shape, const std::string& offsets, const std::string& type = "F32") {
            return "{\"a\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
        };
        row("shorter than its head", fileOf("{}", 0).substr(0, 9), "shorter than its head");
        row("a head of no JSON", fileOf("{\"a\":", 0), "no JSON");
        row("shorter than its tensors", fileOf(entry("[2]", "[0,8]"), 7), "shorter");
        row("longer than its tensors", fileOf(entry("[2]", "[0,8]"), 9), "longer");
        row("a hole", fileOf(entry("[1]", "[4,8]"), 8), "does not lie behind");
        row("another size", fileOf(entry("[3]", "[0,8]"), 8), "another size");
        row("offsets turned round", fileOf(entry("[2]", "[8,0]"), 8), "malformed");
        row("a negative shape", fileOf(entry("[-2]", "[0,8]"), 8), "malformed");
        row("a shape of text", fileOf(entry("\"2\"", "[0,8]"), 8), "malformed");
        row("a shape beyond 64 bits", fileOf(entry("[4611686018427387904,4]", "[0,8]"), 8), "malformed");
        row("an unknown type", fileOf(entry("[2]", "[0,8]", "F8_E5M2"), 8), "F8_E5M2");
        row("overlapping tensors",
            fileOf("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":["
                   "4],\"data_offsets\":[2,6]}}",
                   6),
            "does not lie behind");
        row("no tensor", fileOf("{\"a\":7}", 0), "malformed");
    }
    void refuses() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "bad.safetensors", bytes.toStdString()));
        const auto weights = read(folder / "bad.safetensors");
        QVERIFY(!weights);
        QCOMPARE(weights.error().kind, ErrorKind::Damaged);
        QCOMPARE(weights.error().where, (folder / "bad.safetensors").string());
        QVERIFY2(QString::fromStdString(weights.error().what).contains(part), weights.error().what.c_str());
    }

    void survivesDamageAnywhere() {
        ScratchFolder folder;
        const auto whole = readFile(testData("interop/weights.safetensors"));
        VERIFY_RESULT(whole);
        for (std::size_t length = 0; length < whole->size(); ++length) {
            VERIFY_RESULT(writeFile(folder / "cut.safetensors", whole->substr(0, length)));
            QVERIFY2(!readWeightFile(folder / "cut.safetensors"), std::to_string(length).c_str());
        }
        for (std::size_t i = 0; i < whole->size(); ++i) {
            std::string bytes = *whole;
            bytes[i] = char(bytes[i] ^ (i % 2 ? 0x01 : 0xFF));
            VERIFY_RESULT(writeFile(folder / "changed.safetensors", bytes));
            const auto file = readWeightFile(folder / "changed.safetensors");
            QVERIFY(file || !file.error().what.empty());
        }
    }

    void refusesNamesThatTwoTensorsShare() {
        ScratchFolder folder;
        const auto written = writeWeightFile(folder / "a.safetensors", {{"a", counted({2})}, {"a", counted({3})}});
        QVERIFY(!written);
        QVERIFY(!std::filesystem::exists(folder / "a.safetensors"));
    }
};

QTEST_GUILESS_MAIN(TestSafetensorsFile)
#include "tst_SafetensorsFile.moc"
