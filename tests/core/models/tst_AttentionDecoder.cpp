#include "core/models/recognition/AttentionDecoder.h"
#include "core/models/recognition/LabelMap.h"
#include "core/models/recognition/ReadingChoice.h"
#include "core/models/recognition/TeacherForcing.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <QScopeGuard>

using namespace trainyard;
using namespace trainyard::testing;
using Labels = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t kUnits = 4, kMemory = 3;

/// A decoder whose next label depends strongly on all before it.
std::shared_ptr<AttentionDecoder> livelyDecoder(const AttentionDecoder::Shape& shape) {
    auto decoder = std::make_shared<AttentionDecoder>(shape);
    const torch::NoGradGuard noGradients;
    for (auto& item : decoder->named_parameters())
        item.value().copy_(3 * noise(item.key(), item.value().sizes()));
    return decoder;
}

std::shared_ptr<AttentionDecoder> livelyDecoder(std::int64_t labels) {
    return livelyDecoder({labels, kMemory, 5, kUnits});
}

torch::Tensor someMemory(std::int64_t samples) {
    return noise("memory", {samples, 6, kMemory}).to(torch::kFloat);
}

/// The logarithm of the probability that `decoder` gives `labels`, up to an end or all of them, for sample `n`.
double scoreOf(AttentionDecoder& decoder, const torch::Tensor& memory, std::int64_t n, const Labels& labels) {
    Labels inputs = {LabelMap::kStart};
    inputs.insert(inputs.end(), labels.begin(), labels.end() - 1);
    const auto told = torch::tensor(inputs, torch::kLong).unsqueeze(0);
    const auto scores = at::log_softmax(decoder.taught(memory.slice(0, n, n + 1), told)[0], 1);
    double total = 0;
    for (std::size_t t = 0; t < labels.size(); ++t)
        total += scores[std::int64_t(t)][labels[t]].item<double>();
    return total;
}

/// Calls `use` with every word of `classes` labels: it ends with the end, or is `steps` long.
void forEveryWord(std::int64_t classes, std::int64_t steps, const std::function<void(const Labels&)>& use,
                  const Labels& start = {}) {
    for (std::int64_t label = 0; label < classes; ++label) {
        Labels word = start;
        word.push_back(label);
        if (label == LabelMap::kEnd || std::int64_t(word.size()) == steps)
            use(word);
        else
            forEveryWord(classes, steps, use, word);
    }
}

/// Its labels up to and with the first end.
Labels wordOf(const torch::Tensor& row) {
    Labels word;
    for (std::int64_t t = 0; t < row.size(0); ++t) {
        word.push_back(row[t].item<std::int64_t>());
        if (word.back() == LabelMap::kEnd)
            break;
    }
    return word;
}

Labels listOf(const torch::Tensor& row) {
    Labels values;
    for (std::int64_t i = 0; i < row.size(0); ++i)
        values.push_back(row[i].item<std::int64_t>());
    return values;
}

/// A decoder that gives the same scores after the same label, whatever came before.
class Table final : public BeamDecoder {
public:
    explicit Table(const torch::Tensor& shares) : m_scores(shares.log()) {}
    at::Tensor extend(const at::Tensor& labels) override {
        ++extensions;
        return at::embedding(m_scores, labels);
    }
    void follow(const at::Tensor&) override {}
    int extensions = 0;

private:
    torch::Tensor m_scores;
};

} // namespace

class tst_AttentionDecoder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void wordsAreToldAndAsked() {
        const auto labels = torch::tensor({1, 2, 3, 4}, torch::kLong), lengths = torch::tensor({3, 0, 1}, torch::kLong);
        const auto forward = TeacherForcing::of(labels, lengths, 30, false);
        QCOMPARE(listOf(forward.inputs[0]), (Labels{0, 2, 3, 4}));
        QCOMPARE(listOf(forward.targets[0]), (Labels{2, 3, 4, 1}));
        QCOMPARE(listOf(forward.inputs[1]), (Labels{0, 1, 1, 1}));
        QCOMPARE(listOf(forward.targets[1]), (Labels{1, 1, 1, 1}));
        QCOMPARE(listOf(forward.targets[2]), (Labels{5, 1, 1, 1}));
        QCOMPARE(listOf(forward.counts.to(torch::kLong).sum(1)), (Labels{4, 1, 2}));
        const auto backward = TeacherForcing::of(labels, lengths, 30, true);
        QCOMPARE(listOf(backward.inputs[0]), (Labels{0, 4, 3, 2}));
        QCOMPARE(listOf(backward.targets[0]), (Labels{4, 3, 2, 1}));
        QCOMPARE(listOf(backward.targets[2]), (Labels{5, 1, 1, 1}));
    }

    void longWordsLoseTheirEnd() {
        const auto labels = torch::tensor({1, 2, 3, 4}, torch::kLong), lengths = torch::tensor({3, 1}, torch::kLong);
        const auto taught = TeacherForcing::of(labels, lengths, 3, false);
        QCOMPARE(listOf(taught.targets[0]), (Labels{2, 3, 4}));
        QCOMPARE(listOf(taught.inputs[0]), (Labels{0, 2, 3}));
        QCOMPARE(listOf(taught.counts.to(torch::kLong).sum(1)), (Labels{3, 2}));
    }

    void wordsWithoutCharactersAreAsked() {
        const auto taught =
            TeacherForcing::of(torch::empty({0}, torch::kLong), torch::zeros({2}, torch::kLong), 5, true);
        QCOMPARE(listOf(taught.targets[1]), (Labels{1}));
    }

    // By hand: at step 1 the right label has share 1/2, at step 2 1/4: log 2 + log 4; the other word has 1/2 and a
    // filled step that says nothing. The mean of (3 log 2) and (log 2).
    void lossIsASumOverStepsAndAMeanOverSamples() {
        TeacherForcing taught;
        taught.targets = torch::tensor({2, 1, 1, 1}, torch::kLong).view({2, 2});
        taught.counts = torch::tensor({1, 1, 1, 0}, torch::kLong).view({2, 2}).to(torch::kBool);
        auto shares = torch::tensor({0.25, 0.25, 0.5, 0.5, 0.25, 0.25, 0.4, 0.5, 0.1, 0.9, 0.05, 0.05}, torch::kDouble);
        const auto logits = (shares.log() + 7).view({2, 2, 3}).requires_grad_();
        const auto loss = sequenceLoss(logits, taught);
        QVERIFY(std::abs(loss.item<double>() - 2 * std::log(2.0)) < 1e-12);
        loss.backward();
        QCOMPARE(logits.grad()[1][1].abs().max().item<double>(), 0.0);
    }

    void firstAttentionKnowsNothing() {
        auto decoder = livelyDecoder(4);
        const auto memory = someMemory(1);
        const auto state = decoder->begin(1, 1);
        QCOMPARE(state.hidden.abs().max().item<double>(), 0.0);
        QCOMPARE(state.cell.abs().max().item<double>(), 0.0);
        // By the formula, with h = 0: shares = softmax(v . tanh(W m)).
        const auto p = decoder->named_parameters();
        const auto shares =
            at::softmax(at::matmul(at::linear(memory, p["memory_layer.weight"]).tanh(), p["attention"]), 1);
        const auto seen = at::bmm(shares.unsqueeze(1), memory)[0][0];
        const auto gates = p["label_weight"][LabelMap::kStart] + at::mv(p["context_weight"], seen) + p["bias"];
        const auto cell = gates.slice(0, 0, kUnits).sigmoid() * gates.slice(0, 2 * kUnits, 3 * kUnits).tanh();
        const auto hidden = gates.slice(0, 3 * kUnits).sigmoid() * cell.tanh();
        const auto start = torch::full({1, 1}, LabelMap::kStart, torch::kLong);
        const auto next = decoder->step(decoder->remember(memory), state, start);
        QVERIFY(largestDifference(next.hidden[0][0], hidden) < 1e-5);
        QVERIFY(largestDifference(next.cell[0][0], cell) < 1e-5);
    }

    // Two characters, start and end: no more than four hypotheses before the second step, so width 5 misses nothing.
    // With three steps sixteen are enough.
    void beamEqualsExhaustiveSearch_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("steps");
        QTest::newRow("width 5, two steps") << 5 << 2;
        QTest::newRow("width 16, three steps") << 16 << 3;
    }
    void beamEqualsExhaustiveSearch() {
        QFETCH(int, width);
        QFETCH(int, steps);
        constexpr std::int64_t kClasses = 4, kSamples = 8;
        auto decoder = livelyDecoder(kClasses);
        const auto memory = someMemory(kSamples);
        const auto reading = decoder->read(memory, {width, steps});
        for (std::int64_t n = 0; n < kSamples; ++n) {
            double best = -1e9;
            Labels word;
            forEveryWord(kClasses, steps, [&](const Labels& labels) {
                if (const double score = scoreOf(*decoder, memory, n, labels); score > best) {
                    best = score;
                    word = labels;
                }
            });
            QCOMPARE(wordOf(reading.labels[n]), word);
            QVERIFY(std::abs(reading.scores[n].item<double>() - best) < 1e-4);
        }
    }

    // After the start "a" is likelier than "b", but all that follows "b" is certain: 0.55 × 0.5 < 0.45. Who looks at
    // one hypothesis alone is misled. Shares after start, end, a, b.
    void beamFindsWhatGreedMisses() {
        const auto shares =
            torch::tensor({0.0, 0.0, 0.55, 0.45, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.25, 0.25, 0.0, 1.0, 0.0, 0.0})
                .view({4, 4});
        Table table(shares), again(shares);
        const auto wide = BeamSearch{5, 6}.read(table, 1, torch::kCPU),
                   narrow = BeamSearch{1, 6}.read(again, 1, torch::kCPU);
        QCOMPARE(wordOf(wide.labels[0]), (Labels{3, 1}));
        QVERIFY(std::abs(wide.scores[0].item<double>() - std::log(0.45)) < 1e-6);
        QCOMPARE(wordOf(narrow.labels[0]), (Labels{2, 1}));
        QVERIFY(std::abs(narrow.scores[0].item<double>() - std::log(0.275)) < 1e-6);
        QCOMPARE(again.extensions, 2); // all hypotheses have ended
    }

    // A short word is not preferred by its length nor a long one: 0.9³ × 1 > 0.6.
    void lengthIsNotPenalised() {
        const auto shares = torch::tensor({0.0, 0.4, 0.6, 0.0, 1.0, 0.0, 0.0, 0.1, 0.9}).view({3, 3});
        Table table(shares);
        const auto reading = BeamSearch{5, 4}.read(table, 1, torch::kCPU);
        QCOMPARE(wordOf(reading.labels[0]), (Labels{2, 2, 2, 2})); // 0.6 × 0.9³ = 0.437 > 0.4
        QVERIFY(std::abs(reading.scores[0].item<double>() - std::log(0.6 * 0.9 * 0.9 * 0.9)) < 1e-6);
        Table longer(shares);
        const auto more = BeamSearch{5, 6}.read(longer, 1, torch::kCPU); // 0.6 × 0.9⁵ = 0.354 < 0.4
        QCOMPARE(wordOf(more.labels[0]), (Labels{1}));
    }

    void samplesDoNotMix() {
        auto decoder = livelyDecoder(6);
        const auto memory = someMemory(5);
        const auto together = decoder->read(memory, {5, 7});
        for (std::int64_t n = 0; n < 5; ++n) {
            const auto alone = decoder->read(memory.slice(0, n, n + 1), {5, 7});
            QCOMPARE(wordOf(alone.labels[0]), wordOf(together.labels[n]));
            QVERIFY(std::abs((alone.scores[0] - together.scores[n]).item<double>()) < 1e-4);
        }
    }

    void lateDecodersAreAskedForAStartFirst() {
        const auto labels = torch::tensor({1, 2, 3, 4}, torch::kLong), lengths = torch::tensor({3, 1}, torch::kLong);
        const auto taught = TeacherForcing::of(labels, lengths, 30, false, true);
        QCOMPARE(listOf(taught.inputs[0]), (Labels{0, 0, 2, 3, 4}));
        QCOMPARE(listOf(taught.targets[0]), (Labels{0, 2, 3, 4, 1}));
        QCOMPARE(listOf(taught.counts.to(torch::kLong).sum(1)), (Labels{5, 3}));
        QCOMPARE(TeacherForcing::of(labels, lengths, 4, false, true).targets.size(1), std::int64_t(4));
    }

    // By the formula: the cell moves on with what the step before saw (nothing at first), then looks.
    void lateDecodersLookAfterwards() {
        auto decoder = livelyDecoder({5, kMemory, 5, kUnits, 1, "lstm", true});
        const auto memory = someMemory(1);
        const auto p = decoder->named_parameters();
        torch::Tensor hidden = torch::zeros({kUnits}), cell = hidden, seen = torch::zeros({kMemory});
        auto state = decoder->begin(1, 1);
        const auto remembered = decoder->remember(memory);
        for (const std::int64_t label : {0, 0, 3}) {
            const auto gates = (p["label_weight"][label] + at::mv(p["context_weight"], seen) +
                                at::mv(p["hidden_weight"], hidden) + p["bias"])
                                   .chunk(4);
            cell = gates[1].sigmoid() * cell + gates[0].sigmoid() * gates[2].tanh();
            hidden = gates[3].sigmoid() * cell.tanh();
            const auto match =
                at::linear(memory[0], p["memory_layer.weight"]) + at::mv(p["query_layer.weight"], hidden);
            seen = at::mv(memory[0].t(), at::softmax(at::mv(match.tanh(), p["attention"]), 0));
            state = decoder->step(remembered, state, torch::full({1, 1}, label, torch::kLong));
            QVERIFY(largestDifference(state.hidden[0][0], hidden) < 1e-5);
            QVERIFY(largestDifference(state.seen[0][0], seen) < 1e-5);
        }
    }

    // By the formula of Cho et al., the reset gate before the kernel.
    void gruMovesByTheFormula() {
        auto decoder = livelyDecoder({5, kMemory, 5, kUnits, 1, "gru"});
        const auto p = decoder->named_parameters();
        const auto before = noise("state", {kUnits}).to(torch::kFloat),
                   given = noise("given", {3 * kUnits}).to(torch::kFloat);
        const auto kernel = p["hidden_weight"];
        const auto part = [](const torch::Tensor& all, int i) { return all.slice(0, i * kUnits, (i + 1) * kUnits); };
        const auto reset = (part(given, 0) + at::mv(part(kernel, 0), before)).sigmoid(),
                   update = (part(given, 1) + at::mv(part(kernel, 1), before)).sigmoid(),
                   candidate = (part(given, 2) + at::mv(part(kernel, 2), reset * before)).tanh();
        const auto moved =
            RecurrentCell("gru").moved({before.view({1, 1, kUnits}), {}}, given.view({1, 1, 3 * kUnits}), {kernel, {}});
        QVERIFY(largestDifference(moved.hidden[0][0], update * before + (1 - update) * candidate) < 1e-6);
        QVERIFY(!moved.cell.defined());
    }

    // Gers et al.: input and forget gates see the cell before, the output gate the cell after.
    void peepholesLookIntoTheCell() {
        const auto hidden = noise("h", {kUnits}).to(torch::kFloat), cell = noise("c", {kUnits}).to(torch::kFloat),
                   given = noise("given", {4 * kUnits}).to(torch::kFloat),
                   kernel = noise("kernel", {4 * kUnits, kUnits}).to(torch::kFloat),
                   holes = noise("holes", {3, kUnits}).to(torch::kFloat);
        const auto gates = (given + at::mv(kernel, hidden)).chunk(4);
        const auto after =
            (gates[1] + holes[1] * cell).sigmoid() * cell + (gates[0] + holes[0] * cell).sigmoid() * gates[2].tanh();
        const auto shown = (gates[3] + holes[2] * after).sigmoid() * after.tanh();
        const auto moved = RecurrentCell("peephole-lstm")
                               .moved({hidden.view({1, 1, kUnits}), cell.view({1, 1, kUnits})},
                                      given.view({1, 1, 4 * kUnits}), {kernel, holes});
        QVERIFY(largestDifference(moved.cell[0][0], after) < 1e-6);
        QVERIFY(largestDifference(moved.hidden[0][0], shown) < 1e-6);
    }

    void everyKindOfDecoderReadsAsItWasTaught_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<bool>("lags");
        QTest::addColumn<int>("memories");
        QTest::addColumn<int>("languageUnits");
        QTest::newRow("gru") << "gru" << false << 1 << 0;
        QTest::newRow("peepholes") << "peephole-lstm" << false << 1 << 0;
        QTest::newRow("lagging") << "lstm" << true << 1 << 0;
        QTest::newRow("two memories") << "lstm" << false << 2 << 0;
        QTest::newRow("a language cell") << "lstm" << false << 1 << 3;
        QTest::newRow("all of it") << "gru" << true << 3 << 2;
    }
    /// The score of a reading is what teaching the same labels gives; every parameter learns.
    void everyKindOfDecoderReadsAsItWasTaught() {
        QFETCH(QString, cell);
        QFETCH(bool, lags);
        QFETCH(int, memories);
        QFETCH(int, languageUnits);
        auto decoder = livelyDecoder({5, kMemory, 5, kUnits, memories, cell.toStdString(), lags, languageUnits});
        std::vector<torch::Tensor> all;
        for (int i = 0; i < memories; ++i)
            all.push_back(noise("memory" + std::to_string(i), {2, 4 + i, kMemory}).to(torch::kFloat));
        const auto reading = decoder->read(all, {3, 4});
        const auto word = wordOf(reading.labels[1]);
        Labels inputs = {LabelMap::kStart};
        inputs.insert(inputs.end(), word.begin(), word.end() - 1);
        std::vector<torch::Tensor> own;
        for (const auto& memory : all)
            own.push_back(memory.slice(0, 1, 2));
        const auto logits = decoder->taught(own, torch::tensor(inputs, torch::kLong).unsqueeze(0));
        const auto scores = at::log_softmax(logits[0], 1);
        double total = 0;
        for (std::size_t t = 0; t < word.size(); ++t)
            total += scores[std::int64_t(t)][word[t]].item<double>();
        QVERIFY(std::abs(total - reading.scores[1].item<double>()) < 1e-4);
        decoder->taught(all, torch::tensor({0, 2, 3, 0, 4, 2}, torch::kLong).view({2, 3})).square().sum().backward();
        for (const auto& item : decoder->named_parameters())
            QVERIFY2(item.value().grad().abs().max().item<double>() > 0, item.key().c_str());
    }

    void likelierReadingWins_data() {
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        QTest::addColumn<QString>("text");
        QTest::newRow("forward") << -1.0 << -1.5 << "forward";
        QTest::newRow("backward") << -4.0 << -3.9 << "backward";
        QTest::newRow("a tie goes to the first") << -2.0 << -2.0 << "forward";
    }
    void likelierReadingWins() {
        QFETCH(double, forward);
        QFETCH(double, backward);
        QFETCH(QString, text);
        QCOMPARE(likeliest({{"forward", forward}, {"backward", backward}}).text, text.toStdString());
    }

    void cellStartsOrthogonal() {
        AttentionDecoder decoder({6, kMemory, 5, kUnits});
        decoder.initialise(Initialiser(1), "");
        const auto p = decoder.named_parameters();
        const auto kernel = at::cat({p["label_weight"].t(), p["context_weight"], p["hidden_weight"]}, 1);
        QVERIFY(largestDifference(at::mm(kernel.t(), kernel), torch::eye(6 + kMemory + kUnits)) < 1e-5);
        QCOMPARE(p["bias"].slice(0, kUnits, 2 * kUnits).sum().item<double>(), double(kUnits));
    }
};

QTEST_GUILESS_MAIN(tst_AttentionDecoder)
#include "tst_AttentionDecoder.moc"
