#include "core/interop/PickleReader.h"
#include "core/interop/TorchFile.h"
#include "core/interop/WeightFile.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <fstream>
#include <sys/stat.h>

using namespace trainyard;
using namespace std::string_literals;

namespace {

/// 0, 1, 2, … in a shape: what make_files.py puts into every tensor.
at::Tensor counted(std::vector<std::int64_t> shape, at::ScalarType type = at::kFloat) {
    std::int64_t count = 1;
    for (const auto size : shape)
        count *= size;
    return at::arange(count, at::kLong).reshape(shape).to(type);
}

bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.equal(b);
}

/// Deep equality, bit by bit of what the values mean.
bool isSame(const TorchValue& a, const TorchValue& b) {
    if (a.content().index() != b.content().index())
        return false;
    if (a.tensor())
        return isSame(*a.tensor(), *b.tensor());
    if (a.list()) {
        for (std::size_t i = 0; i < a.list()->size(); ++i)
            if (a.list()->size() != b.list()->size() || !isSame((*a.list())[i], (*b.list())[i]))
                return false;
        return a.list()->size() == b.list()->size();
    }
    if (a.dict()) {
        if (a.dict()->size() != b.dict()->size())
            return false;
        for (std::size_t i = 0; i < a.dict()->size(); ++i)
            if ((*a.dict())[i].first != (*b.dict())[i].first || !isSame((*a.dict())[i].second, (*b.dict())[i].second))
                return false;
        return true;
    }
    if (a.text())
        return *a.text() == *b.text();
    if (a.integer())
        return *a.integer() == *b.integer();
    if (const auto* real = std::get_if<double>(&a.content()))
        return *real == std::get<double>(b.content());
    if (const auto* flag = std::get_if<bool>(&a.content()))
        return *flag == std::get<bool>(b.content());
    return true;
}

TorchValue dict(TorchValue::Dict entries) {
    return TorchValue(std::move(entries));
}

/// One of everything that our own checkpoints hold.
TorchValue sampleValue() {
    return dict(
        {{"model", dict({{"weight", TorchValue(counted({2, 3}))}, {"steps", TorchValue(counted({}, at::kLong))}})},
         {"half", TorchValue(counted({4}, at::kHalf))},
         {"brain", TorchValue(counted({4}, at::kBFloat16))},
         {"bytes", TorchValue(counted({5}, at::kByte))},
         {"flags", TorchValue(counted({2}).to(at::kBool))},
         {"empty", TorchValue(at::zeros({0, 3}))},
         {"text", TorchValue("größer ≥ 1"s)},
         {"long", TorchValue(std::string(300, 'x'))},
         {"small", TorchValue(std::int64_t(7))},
         {"negative", TorchValue(std::int64_t(-3))},
         {"big", TorchValue(std::int64_t(1) << 40)},
         {"least", TorchValue(std::numeric_limits<std::int64_t>::min())},
         {"real", TorchValue(0.1)},
         {"yes", TorchValue(TorchValue::Content(true))},
         {"nothing", TorchValue()},
         {"list", TorchValue(TorchValue::List{TorchValue(std::int64_t(1)), TorchValue("two"s)})},
         {"none", dict({})}});
}

Result<void> store(const std::filesystem::path& path, const TorchValue& value) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    if (auto written = writeTorchFile(*file, value); !written)
        return written.error();
    return file->commit();
}

void putBytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

} // namespace

class tst_TorchFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAStateDictOfPython() {
        const auto value = readTorchFile(testing::testData("interop/state_dict.pth"));
        VERIFY_RESULT(value);
        const std::vector<std::pair<std::string, std::vector<std::int64_t>>> expected = {
            {"0.weight", {3, 2, 3, 3}}, {"0.bias", {3}},        {"1.weight", {3}}, {"1.bias", {3}},
            {"1.running_mean", {3}},    {"1.running_var", {3}},
        };
        QVERIFY(value->dict());
        QCOMPARE(value->dict()->size(), std::size_t(7));
        for (const auto& [name, shape] : expected) {
            QVERIFY2(value->find(name) && value->find(name)->tensor(), name.c_str());
            QVERIFY2(isSame(*value->find(name)->tensor(), counted(shape)), name.c_str());
        }
        QVERIFY(isSame(*value->find("1.num_batches_tracked")->tensor(), counted({}, at::kLong)));
    }

    void readsANestedCheckpointOfPython() {
        const auto path = testing::testData("interop/checkpoint.pth");
        const auto value = readTorchFile(path);
        VERIFY_RESULT(value);
        QCOMPARE(*value->find("epoch")->integer(), std::int64_t(7));
        QCOMPARE(std::get<double>(value->find("lr")->content()), 0.125);
        QCOMPARE(std::get<bool>(value->find("done")->content()), false);
        QCOMPARE(*value->find("note")->text(), std::string("größer ≥ 1"));
        QCOMPARE(*value->find("big")->integer(), std::int64_t(1) << 40);
        QCOMPARE(*value->find("negative")->integer(), std::int64_t(-3));
        QVERIFY(std::holds_alternative<std::monostate>(value->find("nothing")->content()));
        QCOMPARE(*(*value->find("shape")->list())[1].integer(), std::int64_t(5));
        const TorchValue* first = value->find("optimizer")->find("state")->find("0");
        QVERIFY(first && isSame(*first->find("momentum_buffer")->tensor(), counted({2, 3})));

        const auto file = readWeightFile(path);
        VERIFY_RESULT(file);
        const WeightList& weights = file->weights;
        const at::Tensor base = counted({4, 5});
        QCOMPARE(weights[0].first, std::string("weight")); // without "module."
        QVERIFY(isSame(weights[0].second, counted({2, 3})));
        QVERIFY(isSame(weights[1].second, base.t()));
        QVERIFY(isSame(weights[2].second, base[2]));
    }

    void readsACheckpointOfCurrentPython() {
        const auto value = readTorchFile(testing::testData("interop/checkpoint_2.pth")); // PyTorch 2.15
        VERIFY_RESULT(value);
        QVERIFY(isSame(*value->find("model")->find("0.weight")->tensor(), counted({3, 2, 3, 3})));
        QVERIFY(isSame(*value->find("bf16")->tensor(), counted({3}, at::kBFloat16)));
        QCOMPARE(*value->find("step")->integer(), std::int64_t(3));
    }

    void readsEveryElementTypeOfPython() {
        const auto value = readTorchFile(testing::testData("interop/types.pth"));
        VERIFY_RESULT(value);
        for (const auto& [name, type] : std::vector<std::pair<std::string, at::ScalarType>>{{"float64", at::kDouble},
                                                                                            {"float16", at::kHalf},
                                                                                            {"bfloat16", at::kBFloat16},
                                                                                            {"int64", at::kLong},
                                                                                            {"int32", at::kInt},
                                                                                            {"int16", at::kShort},
                                                                                            {"int8", at::kChar},
                                                                                            {"uint8", at::kByte}})
            QVERIFY2(isSame(*value->find(name)->tensor(), counted({3}, type)), name.c_str());
        QVERIFY(isSame(*value->find("bool")->tensor(), at::tensor({1, 0, 1}).to(at::kBool)));
        QCOMPARE(value->find("scalar")->tensor()->item<float>(), 42.0f);
        QCOMPARE(value->find("empty")->tensor()->sizes().vec(), (std::vector<std::int64_t>{0, 3}));
    }

    void readsTheLayoutOfBefore16() {
        const auto old = readTorchFile(testing::testData("interop/old_layout.pth"));
        VERIFY_RESULT(old);
        const auto zipped = readTorchFile(testing::testData("interop/state_dict.pth"));
        VERIFY_RESULT(zipped);
        QVERIFY(isSame(*old, *zipped));
        const auto nested = readTorchFile(testing::testData("interop/old_checkpoint.pth"));
        VERIFY_RESULT(nested);
        const TorchValue* weights = nested->find("state_dict");
        QVERIFY(weights);
        const auto base = counted({4, 5});
        QVERIFY(isSame(*weights->find("weight")->tensor(), counted({2, 3})));
        QVERIFY(isSame(*weights->find("transposed")->tensor(), base.t()));
        QVERIFY(isSame(*weights->find("row")->tensor(), base[2])); // a view of the same storage
        QVERIFY(isSame(*weights->find("flags")->tensor(), at::tensor({1, 0, 1}).to(at::kBool)));
        QVERIFY(isSame(*weights->find("steps")->tensor(), counted({3}, at::kLong)));
        QVERIFY(isSame(*weights->find("halves")->tensor(), counted({3}, at::kHalf)));
        QCOMPARE(*nested->find("epoch")->integer(), std::int64_t(7));
    }

    /// Cut off anywhere or with any byte changed, it gives an error or other values, and nothing worse.
    void oldLayoutDamagedAnywhere() {
        testing::ScratchFolder folder;
        const auto whole = readFile(testing::testData("interop/old_checkpoint.pth"));
        VERIFY_RESULT(whole);
        for (std::size_t length = 0; length < whole->size(); length += length < 40 ? 1 : 7) {
            std::ofstream(folder / "cut.pth", std::ios::binary) << whole->substr(0, length);
            const auto value = readTorchFile(folder / "cut.pth");
            QVERIFY2(!value, std::to_string(length).c_str());
            QCOMPARE(value.error().kind, ErrorKind::Damaged);
            QCOMPARE(value.error().where, (folder / "cut.pth").string());
        }
        for (std::size_t i = 0; i < whole->size(); ++i) {
            std::string bytes = *whole;
            bytes[i] = char(bytes[i] ^ (i % 2 ? 0x40 : 0xFF));
            std::ofstream(folder / "changed.pth", std::ios::binary) << bytes;
            const auto value = readTorchFile(folder / "changed.pth");
            QVERIFY(value || !value.error().what.empty());
        }
    }

    void refusesPipes() {
        testing::ScratchFolder folder;
        QCOMPARE(::mkfifo((folder / "pipe.pth").c_str(), 0600), 0);
        const auto value = readTorchFile(folder / "pipe.pth"); // nobody writes to it: it must not be waited for
        QVERIFY(!value);
        QCOMPARE(value.error().what, std::string("This is a pipe, not a file."));
    }

    void refuses_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part"); // of the sentence
        QTest::newRow("runs a command") << "hostile.pth"
                                        << "system";
        QTest::newRow("whole module") << "whole_module.pth"
                                      << "torch.nn.modules.container Sequential";
        QTest::newRow("runs a command, old layout") << "old_hostile.pth"
                                                    << "system";
        QTest::newRow("something else") << "make_files.py"
                                        << "not a complete PyTorch file";
        QTest::newRow("missing") << "nowhere.pth"
                                 << "does not exist";
    }
    void refuses() {
        QFETCH(QString, file);
        QFETCH(QString, part);
        const auto path = testing::testData("interop/" + file.toStdString());
        const auto value = readTorchFile(path);
        QVERIFY(!value);
        QCOMPARE(value.error().kind, ErrorKind::Damaged);
        QCOMPARE(value.error().where, path.string());
        QVERIFY2(QString::fromStdString(value.error().what).contains(part), value.error().what.c_str());
    }

    void readsWhatItWrote() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(store(folder / "a.pth", sampleValue()));
        const auto value = readTorchFile(folder / "a.pth");
        VERIFY_RESULT(value);
        QVERIFY(isSame(*value, sampleValue()));
    }

    void storesOnlyTheElementsOfAView() {
        testing::ScratchFolder folder;
        const at::Tensor view = at::zeros({1000, 1000}).slice(0, 3, 5).t();
        VERIFY_RESULT(store(folder / "a.pth", dict({{"view", TorchValue(view)}})));
        QVERIFY(std::filesystem::file_size(folder / "a.pth") < 12'000);
        QVERIFY(isSame(*readTorchFile(folder / "a.pth")->find("view")->tensor(), view));
    }

    /// Whatever byte is flipped, the reader ends in an error that names the file or in the very same values.
    void survivesEveryFlippedByte_data() {
        QTest::addColumn<int>("mask");
        for (const int mask : {0x01, 0xff})
            QTest::addRow("%02x", mask) << mask;
    }
    void survivesEveryFlippedByte() {
        QFETCH(int, mask);
        testing::ScratchFolder folder;
        VERIFY_RESULT(store(folder / "good.pth", sampleValue()));
        const std::string bytes = *readFile(folder / "good.pth");
        const auto path = folder / "bad.pth";
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::string damaged = bytes;
            damaged[i] = char(damaged[i] ^ mask);
            putBytes(path, damaged);
            const auto value = readTorchFile(path);
            if (value)
                QVERIFY2(isSame(*value, sampleValue()), qPrintable(QString("byte %1").arg(i)));
            else
                QVERIFY(value.error().kind == ErrorKind::Damaged && value.error().where == path.string());
        }
    }

    void noticesEveryTruncation() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(store(folder / "good.pth", sampleValue()));
        const std::string bytes = *readFile(folder / "good.pth");
        const auto path = folder / "bad.pth";
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            putBytes(path, bytes.substr(0, length));
            const auto value = readTorchFile(path);
            QVERIFY2(!value, qPrintable(QString("%1 bytes").arg(length)));
            QVERIFY(value.error().kind == ErrorKind::Damaged && value.error().where == path.string());
        }
    }

    /// The pickle itself, past the CRC that a hostile file would have right.
    void refusesHostilePickles_data() {
        QTest::addColumn<QByteArray>("pickle");
        const QByteArray tensor = "\x80\x02"
                                  "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\n"
                                  "X\1\0\0\0"
                                  "0X\3\0\0\0cpuK\4tQ"_qba;
        QTest::newRow("offset beyond the storage") << tensor + "K\5(K\1t(K\1t\x89Nt"
                                                               "R."_qba;
        QTest::newRow("size beyond the storage") << tensor + "K\0(K\5t(K\1t\x89Nt"
                                                             "R."_qba;
        QTest::newRow("stride beyond the storage") << tensor + "K\0(K\2t(K\4t\x89Nt"
                                                               "R."_qba;
        QTest::newRow("negative size") << tensor + "K\0(J\xff\xff\xff\xfft(K\1t\x89Nt"
                                                   "R."_qba;
        QTest::newRow("negative stride") << tensor + "K\0(K\2t(J\xff\xff\xff\xfft\x89Nt"
                                                     "R."_qba;
        QTest::newRow("overflowing span")
            << tensor + "K\0(\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7ft(\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7ft\x89Nt"
                        "R."_qba;
        QTest::newRow("huge by a stride of 0") << tensor + "K\0(\x8a\x08\xff\xff\xff\xff\xff\0\0\0t(K\0t\x89Nt"
                                                           "R."_qba;
        QTest::newRow("more strides than sizes") << tensor + "K\0(K\1t(K\1K\1t\x89Nt"
                                                             "R."_qba;
        QTest::newRow("contains itself") << "\x80\x02]q\0h\0a."_qba;
        QTest::newRow("nested too deeply")
            << QByteArray("\x80\x02" + QByteArray(1000, ']') + QByteArray(999, 'a') + ".");
        QTest::newRow("unknown memo entry") << "\x80\x02h\7."_qba;
        QTest::newRow("pops nothing") << "\x80\x02"
                                         "0."_qba;
        QTest::newRow("mark never closed") << "\x80\x02(."_qba;
        QTest::newRow("group never opened") << "\x80\x02t."_qba;
        QTest::newRow("text longer than the file") << "\x80\x02X\xff\xff\xff\xff"
                                                      "a."_qba;
        QTest::newRow("key without value") << "\x80\x02}(K\1u."_qba;
        QTest::newRow("eval") << "\x80\x02"
                                 "cbuiltins\neval\n(X\1\0\0\0"
                                 "1tR."_qba;
        QTest::newRow("new object") << "\x80\x02"
                                       "cbuiltins\nobject\n)\x81."_qba;
        QByteArray doubling = "\x80\x02]q\0."; // each list holds the one before twice: 2^60 values
        doubling.chop(1);
        for (char i = 1; i < 60; ++i)
            doubling += QByteArray("0](h") + char(i - 1) + "h" + char(i - 1) + "eq" + i;
        QTest::newRow("expands without end") << doubling + ".";
    }
    void refusesHostilePickles() {
        QFETCH(QByteArray, pickle);
        PickleReader reader(std::string_view(pickle.constData(), std::size_t(pickle.size())),
                            [](const std::string&, at::ScalarType type, std::int64_t count) -> Result<at::Tensor> {
                                return at::zeros({count}, at::TensorOptions().dtype(type));
                            });
        const auto value = reader.read();
        QVERIFY(!value);
        QCOMPARE(value.error().kind, ErrorKind::Damaged);
    }

    void refusesElementTypesThatPythonCannotLoad() {
        testing::ScratchFolder folder;
        const auto stored = store(folder / "a.pth", TorchValue(at::zeros({2}, at::kComplexFloat)));
        QVERIFY(!stored);
        QVERIFY(!std::filesystem::exists(folder / "a.pth"));
    }
};

QTEST_GUILESS_MAIN(tst_TorchFile)
#include "tst_TorchFile.moc"
