#include "core/base/AtomicFile.h"
#include "core/interop/PickleFile.h"
#include "core/interop/PickleReader.h"
#include "tests/core/interop/CountedTensors.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;
using namespace std::string_literals;

class TestPickleFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Everything that make_weights.py put in, by three protocols.
    void readsEveryKindOfArray_data() {
        QTest::addColumn<int>("protocol");
        for (const int protocol : {2, 4, 5})
            QTest::addRow("protocol %d", protocol) << protocol;
    }
    void readsEveryKindOfArray() {
        QFETCH(int, protocol);
        const auto value = readPickleFile(testData("interop/arrays_" + std::to_string(protocol) + ".pkl"));
        VERIFY_RESULT(value);
        const std::vector<std::pair<std::string, at::ScalarType>> kinds = {
            {"f2", at::kHalf},  {"f4", at::kFloat}, {"f8", at::kDouble}, {"i1", at::kChar},
            {"i2", at::kShort}, {"i4", at::kInt},   {"i8", at::kLong},   {"u1", at::kByte},
            {"u2", at::kInt},   {"u4", at::kLong},  {"u8", at::kLong}};
        for (const auto& [name, type] : kinds)
            QVERIFY2(isSame(*value->find(name)->tensor(), counted({3}, type)), name.c_str());
        QVERIFY(isSame(*value->find("big")->tensor(), counted({2, 3})));
        QVERIFY(isSame(*value->find("bool")->tensor(), at::tensor({1, 0, 1}).to(at::kBool)));
        QCOMPARE(value->find("most")->tensor()->item<std::int64_t>(), std::int64_t(65535));
        QCOMPARE(value->find("most4")->tensor()->item<std::int64_t>(), std::int64_t(4294967295));
        QCOMPARE(value->find("none")->tensor()->sizes().vec(), (std::vector<std::int64_t>{0, 3}));
        QVERIFY(isSame(*value->find("zero_dim")->tensor(), at::scalar_tensor(7.0f)));
        QCOMPARE(std::get<double>(value->find("scalar")->content()), 0.5);
        QCOMPARE(*value->find("count")->integer(), std::int64_t(-3));
        QCOMPARE(std::get<bool>(value->find("flag")->content()), true);
        QVERIFY(isSame(*value->find("order")->tensor(), counted({2, 3})));
        QCOMPARE(*value->find("bytes")->text(), "\0\x80\xff"s);
        QCOMPARE(*value->find("far")->integer(), std::int64_t(1) << 40);
    }

    void refuses_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part"); // of the sentence
        QTest::newRow("runs a command") << "hostile.pkl"
                                        << "posix system";
        QTest::newRow("texts as arrays") << "objects.pkl"
                                         << "\"U1\"";
        QTest::newRow("something else") << "make_files.py"
                                        << "no file that Python's pickle wrote";
        QTest::newRow("missing") << "nowhere.pkl"
                                 << "does not exist";
    }
    void refuses() {
        QFETCH(QString, file);
        QFETCH(QString, part);
        const auto path = testData("interop/" + file.toStdString());
        const auto value = readPickleFile(path);
        QVERIFY(!value);
        QCOMPARE(value.error().kind, ErrorKind::Damaged);
        QCOMPARE(value.error().where, path.string());
        QVERIFY2(QString::fromStdString(value.error().what).contains(part), value.error().what.c_str());
    }

    /// Cut off anywhere it is refused; with any byte changed it gives an error or other values, and nothing worse.
    void survivesDamageAnywhere() {
        ScratchFolder folder;
        const auto whole = readFile(testData("interop/arrays_2.pkl"));
        VERIFY_RESULT(whole);
        for (std::size_t length = 0; length < whole->size(); length += 7) {
            VERIFY_RESULT(writeFile(folder / "cut.pkl", whole->substr(0, length)));
            const auto value = readPickleFile(folder / "cut.pkl");
            QVERIFY2(!value, std::to_string(length).c_str());
            QCOMPARE(value.error().where, (folder / "cut.pkl").string());
        }
        for (std::size_t i = 0; i < whole->size(); ++i) {
            std::string bytes = *whole;
            bytes[i] = char(bytes[i] ^ (i % 2 ? 0x40 : 0xFF));
            PickleReader reader(bytes);
            const auto value = reader.read();
            QVERIFY(value || !value.error().what.empty());
        }
    }

    void refusesHostilePickles_data() {
        QTest::addColumn<QByteArray>("pickle");
        const QByteArray shell = "\x80\x02"
                                 "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R(K\1"_qba;
        const QByteArray type = "cnumpy\ndtype\nU\2f4K\0K\1\x87R(K\3U\1<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"_qba;
        QTest::newRow("fewer bytes than the shape has") << shell + "K\3\x85" + type + "\x89U\4aaaatb."_qba;
        QTest::newRow("more bytes than the shape has") << shell + "K\1\x85" + type +
                                                              "\x89U\x08"
                                                              "aaaaaaaatb."_qba;
        QTest::newRow("negative shape") << shell + "J\xff\xff\xff\xff\x85" + type + "\x89U\0tb."_qba;
        QTest::newRow("overflowing shape")
            << shell + "\x8a\x08\0\0\0\0\0\0\0\x40\x8a\x08\0\0\0\0\0\0\0\x40\x86"_qba + type + "\x89U\0tb."_qba;
        QTest::newRow("array without values")
            << "\x80\x02"
               "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R."_qba;
        QTest::newRow("array of another class")
            << "\x80\x02"
               "cnumpy.core.multiarray\n_reconstruct\ncos\nsystem\nK\0\x85U\1b\x87R."_qba;
        QTest::newRow("array that holds itself")
            << "\x80\x02"
               "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87Rq\1(K\1K\1\x85h\1\x89U\4aaaatb."_qba;
        QTest::newRow("records")
            << "\x80\x02"
               "cnumpy\ndtype\nU\2f4K\0K\1\x87R(K\3U\1<NU\1xNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb."_qba;
        QTest::newRow("objects") << "\x80\x02"
                                    "cnumpy\ndtype\nU\2O8K\0K\1\x87R."_qba;
        QTest::newRow("another encoding") << "\x80\x02"
                                             "c_codecs\nencode\nX\1\0\0\0aX\5\0\0\0utf-8\x86R."_qba;
        QTest::newRow("text that is no bytes") << "\x80\x02"
                                                  "c_codecs\nencode\nX\3\0\0\0\xe2\x82\xacX\6\0\0\0latin1\x86R."_qba;
        QTest::newRow("tensor of a torch.save file") << "\x80\x02"
                                                        "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
                                                        "0X\3\0\0\0cpuK\4tQ."_qba;
    }
    void refusesHostilePickles() {
        QFETCH(QByteArray, pickle);
        PickleReader reader(std::string_view(pickle.constData(), std::size_t(pickle.size())));
        const auto value = reader.read();
        QVERIFY(!value);
        QCOMPARE(value.error().kind, ErrorKind::Damaged);
        QVERIFY(!value.error().what.empty());
    }
};

QTEST_GUILESS_MAIN(TestPickleFile)
#include "tst_PickleFile.moc"
