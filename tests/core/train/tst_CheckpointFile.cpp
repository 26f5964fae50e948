#include "core/base/AtomicFile.h"
#include "core/train/CheckpointFile.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <sys/resource.h>

using namespace trainyard;

namespace {

TrainingState sampleState() {
    TrainingState state;
    const float infinity = std::numeric_limits<float>::infinity();
    state.model = {
        {"conv.weight", at::arange(24, at::kFloat).view({2, 3, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast)},
        {"odd", at::tensor({std::nanf("7"), -infinity, -0.0f, 1e-45f})},
        {"norm.num_batches_tracked", at::tensor(std::int64_t(12)).squeeze()}};
    state.optimizer = {{"conv.weight.momentum", at::full({2, 3, 2, 2}, 0.1f)}};
    state.random = {{"rank0", at::arange(50, at::kByte)}};
    state.text = {{"seed", "1"}, {"config", "model:\n  type: crnn\n"}, {"empty", ""}};
    state.iteration = 20;
    return state;
}

bool areSame(const NamedTensors& a, const NamedTensors& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const at::Tensor x = a[i].second.contiguous(), y = b[i].second.contiguous();
        if (a[i].first != b[i].first || x.scalar_type() != y.scalar_type() || x.sizes() != y.sizes() ||
            std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) != 0)
            return false;
    }
    return true;
}

/// While it lives, no file of this process may grow beyond `bytes`.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

} // namespace

class tst_CheckpointFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsEveryBit() {
        testing::ScratchFolder folder;
        const TrainingState state = sampleState();
        const auto bytes = writeCheckpoint(folder / "a.pth", state);
        VERIFY_RESULT(bytes);
        QCOMPARE(*bytes, std::int64_t(std::filesystem::file_size(folder / "a.pth")));
        const auto again = readCheckpoint(folder / "a.pth");
        VERIFY_RESULT(again);
        QVERIFY(areSame(again->model, state.model));
        QVERIFY(areSame(again->optimizer, state.optimizer));
        QVERIFY(areSame(again->random, state.random));
        QVERIFY(again->text == state.text);
        QCOMPARE(again->iteration, std::int64_t(20));
    }

    void isTheSameFileForTheSameState() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeCheckpoint(folder / "a.pth", sampleState()));
        VERIFY_RESULT(writeCheckpoint(folder / "b.pth", sampleState()));
        QCOMPARE(*readFile(folder / "a.pth"), *readFile(folder / "b.pth"));
    }

    void keepsTheOldFileWhereTheDiskIsFull_data() {
        QTest::addColumn<int>("percent"); // of the file that finds room
        for (const int percent : {0, 5, 60, 99})
            QTest::addRow("%d %%", percent) << percent;
    }
    void keepsTheOldFileWhereTheDiskIsFull() {
        QFETCH(int, percent);
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeCheckpoint(folder / "a.pth", sampleState()));
        const std::string before = *readFile(folder / "a.pth");
        TrainingState later = sampleState();
        later.iteration = 40;
        {
            const SmallDisk small(before.size() * static_cast<rlim_t>(percent) / 100);
            const auto written = writeCheckpoint(folder / "a.pth", later);
            QVERIFY(!written);
            QCOMPARE(written.error().kind, ErrorKind::Damaged);
        }
        QCOMPARE(*readFile(folder / "a.pth"), before);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1); // nothing left lying about
    }

    void refusesWeightsWithoutARun() {
        const auto state = readCheckpoint(testing::testData("interop/state_dict.pth"));
        QVERIFY(!state && state.error().kind == ErrorKind::Damaged);
    }

    void namesTheFolderThatIsMissing() {
        testing::ScratchFolder folder;
        const auto written = writeCheckpoint(folder / "nowhere" / "a.pth", sampleState());
        QVERIFY(!written);
        QCOMPARE(written.error().what, std::string("The folder does not exist."));
    }

    void sortsByName() { QCOMPARE(checkpointFileName(20), std::string("iteration-00000020.pth")); }
};

QTEST_GUILESS_MAIN(tst_CheckpointFile)
#include "tst_CheckpointFile.moc"
