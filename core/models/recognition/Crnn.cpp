#include "core/models/recognition/Crnn.h"

#include "core/base/Random.h"
#include "core/models/recognition/CtcDecoder.h"
#include "core/models/recognition/CtcLoss.h"
#include "core/nn/Autocast.h"
#include "core/nn/Initialiser.h"
#include "core/nn/Lstm.h"

#include <fmt/format.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>

#include <array>
#include <cmath>
#include <functional>

namespace trainyard {
namespace {

constexpr std::int64_t kRowsToOne = 16;                                // what four poolings make of the height
constexpr std::int64_t kPixelsAStep = 4;                               // by two poolings of the width
constexpr std::array<std::int64_t, 7> kWidths = {1, 2, 4, 4, 8, 8, 8}; // of the stem's channels

/// The pooling behind convolution `i`: both ways, only in height, or none.
torch::Tensor pooled(const torch::Tensor& features, std::size_t i) {
    if (i == 0 || i == 1)
        return at::max_pool2d(features, {2, 2});
    if (i == 3 || i == 5)
        return at::max_pool2d(features, {2, 1});
    return features;
}

/// 1 where a picture of these widths, of `whole` pixels with its padding, reaches in `features`, 0 beyond: [N, 1, 1,
/// W].
torch::Tensor reached(const torch::Tensor& widths, std::int64_t whole, const torch::Tensor& features) {
    const std::int64_t columns = features.size(3), shrink = whole / columns;
    const torch::Tensor column = torch::arange(columns, widths.options());
    const torch::Tensor isReached = column.unsqueeze(0) < at::floor_divide(widths, shrink).unsqueeze(1);
    return isReached.to(features.scalar_type()).view({widths.size(0), 1, 1, columns});
}

/// The picture's widths of a batch where they vary, else undefined.
torch::Tensor widthsOf(const Batch& batch) {
    const auto found = batch.targets.find("widths");
    return found == batch.targets.end() ? torch::Tensor() : found->second;
}

/// The steps of each sample; undefined where all have the same.
torch::Tensor stepsOf(const Batch& batch) {
    const torch::Tensor widths = widthsOf(batch);
    return widths.defined() ? at::floor_divide(widths, kPixelsAStep) : widths;
}

std::vector<std::int64_t> listOf(const torch::Tensor& values) {
    if (!values.defined())
        return {};
    const torch::Tensor host = values.to(torch::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

/// Tells the replicas of one step apart: their samples differ.
std::uint64_t saltOf(const Batch& batch) {
    std::uint64_t salt = 0;
    for (const SampleInfo& sample : batch.samples)
        for (const char c : sample.id)
            salt = deriveSeed(salt, std::uint8_t(c));
    return salt;
}

} // namespace

CrnnStem::CrnnStem(const CrnnConfig& config, const std::string& norm) {
    std::int64_t in = config.channels;
    for (std::size_t i = 0; i < kWidths.size(); ++i) {
        Convolution::Shape shape{in, kWidths[i] * config.stemChannels, 3, 1, norm == "none"};
        if (i + 1 == kWidths.size())
            shape.rows = config.height / kRowsToOne;
        const std::string number = std::to_string(i);
        m_convolutions.push_back(register_module("conv" + number, std::make_shared<Convolution>(shape)));
        m_norms.push_back(register_module("norm" + number, makeNorm(norm, shape.out)));
        in = shape.out;
    }
}

torch::Tensor CrnnStem::forward(const torch::Tensor& images, const torch::Tensor& widths) {
    torch::Tensor features = images;
    for (std::size_t i = 0; i < m_convolutions.size(); ++i) {
        features = m_norms[i]->forward(m_convolutions[i]->forward(features)).relu_();
        if (widths.defined())
            features = features * reached(widths, images.size(3), features);
        features = pooled(features, i);
    }
    return features;
}

Crnn::Crnn(const CrnnConfig& config, const std::string& norm, std::uint64_t seed)
    : m_alphabet(config.alphabet, config.caseSensitive),
      m_stem(register_module("cnn", std::make_shared<CrnnStem>(config, norm))) {
    auto rnn = register_module("rnn", std::make_shared<torch::nn::Module>());
    std::int64_t in = kWidths.back() * config.stemChannels;
    for (std::int64_t i = 0; i < config.layers; ++i) {
        const auto options = torch::nn::LSTMOptions(in, config.hidden).bidirectional(true);
        m_layers.push_back(rnn->register_module(std::to_string(i), torch::nn::LSTM(options)));
        in = 2 * config.hidden;
    }
    if (config.dropout > 0)
        m_dropout = register_module("dropout", std::make_shared<Dropout>(config.dropout, seed));
    m_head = register_module("head", torch::nn::Linear(in, m_alphabet.size()));
}

torch::Tensor Crnn::logits(const Batch& batch) {
    const torch::Tensor features = m_stem->forward(batch.images, widthsOf(batch)); // [N, C, 1, T]
    const std::vector<std::int64_t> lengths = listOf(stepsOf(batch));
    const Autocast plain(false); // recurrent layers have no bfloat16 kernels worth having
    torch::Tensor steps = features.squeeze(2).permute({2, 0, 1}).to(torch::kFloat).contiguous();
    const std::uint64_t salt = m_dropout ? saltOf(batch) : 0;
    for (auto& layer : m_layers) {
        if (m_dropout)
            steps = m_dropout->forward(steps, salt);
        steps = bidirectionalLstm(steps, layer->all_weights(), lengths);
    }
    return m_head->forward(steps);
}

Model::Losses Crnn::losses(const Batch& batch) {
    const torch::Tensor scores = logits(batch);
    const Autocast plain(false);
    return {{"ctc", ctcLoss(scores, batch.targets.at("labels"), batch.targets.at("lengths"), stepsOf(batch))}};
}

std::vector<Prediction> Crnn::predict(const Batch& batch) {
    const torch::NoGradGuard noGradients;
    std::vector<Prediction> predictions;
    for (const CtcReading& reading : readBestPath(logits(batch), stepsOf(batch))) {
        Prediction prediction;
        prediction.text = m_alphabet.decode(reading.positions);
        prediction.score = reading.score;
        predictions.push_back(std::move(prediction));
    }
    return predictions;
}

std::vector<std::string> Crnn::classDependent() const {
    return {"head."};
}

void Crnn::initialise(std::uint64_t seed) {
    const Initialiser initialiser(seed);
    for (const auto& item : named_parameters()) {
        const std::string& name = item.key();
        const torch::Tensor& value = item.value();
        if (name.rfind("cnn.", 0) == 0 && value.dim() == 4)
            initialiser.kaimingNormal(value, name);
        else if (name.rfind("rnn.", 0) == 0) // as torch's own: a quarter of the rows is a gate's
            initialiser.uniform(value, name, 1 / std::sqrt(double(value.size(0) / 4)));
        else if (name.rfind("head.", 0) == 0)
            initialiser.uniform(value, name, 1 / std::sqrt(double(m_head->options.in_features())));
    }
}

Result<std::shared_ptr<Model>> makeCrnn(const RunConfig& config, const ModelContext& context) {
    const CrnnConfig& own = config.model.crnn;
    if (own.alphabet.empty())
        return Error{ErrorKind::Usage, "The alphabet is empty.", "model.crnn.alphabet",
                     "List the characters that the model is to read."};
    if (own.height < kRowsToOne || own.height % kRowsToOne != 0)
        return Error{ErrorKind::Usage, fmt::format("A height of {} is no multiple of 16.", own.height),
                     "model.crnn.height", "Use 32."};
    auto model = std::make_shared<Crnn>(own, config.model.norm, context.seed);
    model->initialise(context.seed);
    return std::shared_ptr<Model>(model);
}

} // namespace trainyard
