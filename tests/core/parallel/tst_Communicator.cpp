#include "core/parallel/Communicator.h"

#include "core/parallel/GroupCommunicator.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <functional>
#include <thread>

using namespace trainyard;

namespace {

using Communicators = std::vector<std::unique_ptr<Communicator>>;

Communicators joined(int count, std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    auto communicators = makeLocalCommunicators(count, "cpu", timeout);
    if (!communicators)
        throw std::runtime_error(communicators.error().sentence());
    return std::move(*communicators);
}

/// Runs `work` on a thread a rank; what each one threw, or nothing.
std::vector<std::string> onEveryRank(Communicators& communicators, const std::function<void(Communicator&)>& work) {
    std::vector<std::string> failures(communicators.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < communicators.size(); ++rank)
        threads.emplace_back([&, rank] {
            try {
                work(*communicators[rank]);
            } catch (const std::exception& error) {
                failures[rank] = error.what();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    return failures;
}

std::vector<std::string> noFailures(int count) {
    return std::vector<std::string>(std::size_t(count));
}

at::Tensor randomOf(int rank, std::int64_t count) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t(rank) + 1);
    return at::randn({count}, generator);
}

} // namespace

class tst_Communicator : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void counts_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 2, 3})
            QTest::addRow("%d replicas", count) << count;
    }

    // Rank r holds r + 1 and 10 (r + 1): means 1 and 10, 1.5 and 15, 2 and 20.
    void averages_data() { counts_data(); }
    void averages() {
        QFETCH(int, count);
        auto communicators = joined(count);
        std::vector<std::vector<at::Tensor>> tensors;
        for (int rank = 0; rank < count; ++rank)
            tensors.push_back({at::full({2, 3}, float(rank + 1)), at::full({2, 3, 4, 5}, 10.0f * float(rank + 1)),
                               at::full({5'000'000}, float(rank + 1))});
        const auto failures =
            onEveryRank(communicators, [&](Communicator& c) { c.averageInPlace(tensors[std::size_t(c.rank())]); });
        QCOMPARE(failures, noFailures(count));
        const float mean = float(count + 1) / 2;
        for (const auto& own : tensors) {
            QVERIFY(at::equal(own[0], at::full({2, 3}, mean)));
            QVERIFY(at::equal(own[1], at::full({2, 3, 4, 5}, 10 * mean)));
            QVERIFY(at::equal(own[2], at::full({5'000'000}, mean)));
        }
    }

    // Values whose sum depends on the order of addition: every rank and every repetition has the same bits.
    void addsInTheSameOrderEveryTime() {
        auto communicators = joined(3);
        std::vector<at::Tensor> first;
        for (int repetition = 0; repetition < 10; ++repetition) {
            std::vector<at::Tensor> results(3);
            const auto failures = onEveryRank(communicators, [&](Communicator& c) {
                std::vector<at::Tensor> tensors = {randomOf(c.rank(), 100'003), randomOf(c.rank() + 3, 17)};
                c.averageInPlace(tensors);
                results[std::size_t(c.rank())] = at::cat(tensors);
            });
            QCOMPARE(failures, noFailures(3));
            if (first.empty())
                first = results;
            for (const at::Tensor& result : results)
                QVERIFY(at::equal(result, first.front()));
        }
    }

    void broadcastsTheFirst_data() { counts_data(); }
    void broadcastsTheFirst() {
        QFETCH(int, count);
        auto communicators = joined(count);
        std::vector<at::Tensor> results(static_cast<std::size_t>(count));
        const auto failures = onEveryRank(communicators, [&](Communicator& c) {
            std::vector<at::Tensor> tensors = {at::full({3}, float(c.rank() + 7)), at::full({2}, c.rank(), at::kLong)};
            c.broadcastFromFirst(tensors);
            results[std::size_t(c.rank())] = at::cat({tensors[0], tensors[1].to(at::kFloat)});
        });
        QCOMPARE(failures, noFailures(count));
        for (const at::Tensor& result : results)
            QVERIFY(at::equal(result, at::tensor({7.0f, 7.0f, 7.0f, 0.0f, 0.0f})));
    }

    void findsTheMaximum_data() { counts_data(); }
    void findsTheMaximum() {
        QFETCH(int, count);
        auto communicators = joined(count);
        std::vector<std::vector<double>> results(static_cast<std::size_t>(count));
        const auto failures = onEveryRank(communicators, [&](Communicator& c) {
            results[std::size_t(c.rank())] = c.maximum({double(c.rank()), -double(c.rank()), 0.1});
            c.barrier();
        });
        QCOMPARE(failures, noFailures(count));
        for (const auto& result : results)
            QCOMPARE(result, (std::vector<double>{double(count - 1), 0.0, 0.1}));
    }

    void aReplicaThatLeavesIsNamed() {
        auto communicators = joined(3);
        const auto failures = onEveryRank(communicators, [](Communicator& c) {
            c.barrier();
            if (c.rank() == 1) {
                c.leave("out of memory");
                return;
            }
            std::vector<at::Tensor> tensors = {at::ones({10})};
            c.averageInPlace(tensors);
        });
        QVERIFY(failures[1].empty());
        for (const std::size_t rank : {0u, 2u})
            QCOMPARE(failures[rank],
                     "Replica " + std::to_string(rank) +
                         " lost the others while averaging gradients (replica 1 left: out of memory). Resume the run "
                         "from its newest checkpoint.");
    }

    // The time-out is short; the test waits for it and measures nothing.
    void aReplicaThatHangsIsGivenUp() {
        auto communicators = joined(2, std::chrono::milliseconds(300));
        const auto failures = onEveryRank(communicators, [](Communicator& c) {
            if (c.rank() == 0)
                c.barrier();
        });
        QVERIFY(failures[1].empty());
        QVERIFY(failures[0].starts_with("Replica 0 lost the others while waiting for the others ("));
        QVERIFY(failures[0].find('\n') == std::string::npos);
    }

    // Long before its time-out, which would say something else.
    void nobodyWaitsForAReplicaThatCannotCome() {
        const auto rendezvous = makeRendezvous();
        std::string what;
        std::thread first([&] {
            try {
                joinOverGloo(rendezvous, std::make_shared<Departure>(), 0, 2, std::chrono::minutes(4));
            } catch (const std::exception& error) {
                what = error.what();
            }
        });
        callOff(*rendezvous, "too many open files");
        first.join();
        QVERIFY2(what.find("too many open files") != std::string::npos, what.c_str());
    }

    void aVanishedReplicaIsNoticed() {
        auto communicators = joined(2);
        communicators[1].reset();
        QVERIFY_EXCEPTION_THROWN(communicators[0]->maximum({1.0}), std::runtime_error);
    }

    void refusesGpusWithoutNccl() {
        const auto communicators = makeLocalCommunicators(2, "cuda");
        if (communicators)
            QSKIP("this build has NCCL");
        QVERIFY(!communicators.error().what.empty());
    }
};

QTEST_GUILESS_MAIN(tst_Communicator)
#include "tst_Communicator.moc"
