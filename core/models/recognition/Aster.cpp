#include "core/models/recognition/Aster.h"

#include "core/models/recognition/ReadingChoice.h"
#include "core/models/recognition/TeacherForcing.h"
#include "core/nn/Autocast.h"

#include <fmt/format.h>

#include <cmath>

namespace trainyard {
namespace {

constexpr std::int64_t kSmallestHeight = 32; // what five halvings, and the crnn extractor's two rows, need

/// The labels of each sample, without start and ends, in the order in which people read them.
std::vector<std::vector<std::int64_t>> wordsOf(const at::Tensor& labels, bool isBackward) {
    const at::Tensor all = labels.to(at::kCPU).contiguous();
    std::vector<std::vector<std::int64_t>> words;
    for (std::int64_t n = 0; n < all.size(0); ++n) {
        const auto* first = all.data_ptr<std::int64_t>() + n * all.size(1);
        std::vector<std::int64_t> word(first, std::find(first, first + all.size(1), LabelMap::kEnd));
        if (isBackward)
            std::reverse(word.begin(), word.end());
        words.push_back(std::move(word));
    }
    return words;
}

Error usage(const std::string& what, const std::string& key, const std::string& remedy) {
    return Error{ErrorKind::Usage, what, "model.aster." + key, remedy};
}

/// What of `config` does not fit together; nothing where all does.
std::optional<Error> objection(const AsterConfig& config) {
    if (config.alphabet.empty())
        return usage("The alphabet is empty.", "alphabet", "List the characters that the model is to read.");
    if (config.controlPoints < 4 || config.controlPoints % 2 != 0)
        return usage(fmt::format("{} control points make no two equal rows.", config.controlPoints), "control_points",
                     "Use an even number, 4 or more.");
    if (config.residualUnits.size() != 5)
        return usage(fmt::format("The extractor has 5 blocks, not {}.", config.residualUnits.size()), "residual_units",
                     "Give five numbers, such as [3, 4, 6, 6, 3].");
    const std::int64_t height = config.rectifier ? config.rectifiedHeight : config.height;
    if (height != kSmallestHeight) // the maps behind the extractor must be one row high
        return usage(fmt::format("The extractors read 32 rows, not {}.", height),
                     config.rectifier ? "rectified_height" : "height", "Use 32.");
    if (config.localisationHeight < kSmallestHeight || config.localisationWidth < kSmallestHeight)
        return usage("The picture for the control points is too small.", "localisation_height", "Use 32 × 64.");
    return std::nullopt;
}

} // namespace

Aster::Aster(const AsterConfig& config, const std::string& norm)
    : m_config(config), m_labels(config.alphabet, config.caseSensitive) {
    if (config.rectifier)
        m_rectifier = register_module("rectifier", std::make_shared<Rectifier>(config, norm));
    m_extractor = register_module("extractor", makeExtractor(config, norm));
    const SequenceEncoder::Shape encoder{m_extractor->outputs(), config.layers, config.hidden, config.sequenceUnits};
    for (std::int64_t i = 0; i < m_extractor->maps(); ++i)
        m_encoders.push_back(
            register_module("encoder" + std::to_string(i), std::make_shared<SequenceEncoder>(encoder)));
    const AttentionDecoder::Shape shape{m_labels.size(), m_encoders.front()->outputs(), config.attentionUnits,
                                        config.decoderUnits};
    for (const std::string name : {"forward", "backward"})
        if (config.directions == "both" || config.directions == name)
            m_directions.push_back({name, name == "backward",
                                    register_module(name + "_decoder", std::make_shared<AttentionDecoder>(shape))});
}

Rectifier::Rectified Aster::rectified(const torch::Tensor& images) {
    TORCH_CHECK(images.size(1) == m_config.channels && images.size(2) == m_config.height &&
                    images.size(3) == m_config.width,
                "Aster: images must be as model.aster says.");
    return m_rectifier ? m_rectifier->forward(images) : Rectifier::Rectified{images, {}, {}};
}

torch::Tensor Aster::memory(const Batch& batch) {
    std::vector<torch::Tensor> sequences;
    const auto maps = m_extractor->forward(rectified(batch.images).images);
    for (std::size_t i = 0; i < maps.size(); ++i)
        sequences.push_back(m_encoders[i]->forward(maps[i]));
    return at::cat(sequences, 1);
}

Model::Losses Aster::losses(const Batch& batch) {
    const torch::Tensor seen = memory(batch);
    const Autocast plain(false);
    Losses losses;
    for (const Direction& direction : m_directions) {
        const auto taught = TeacherForcing::of(batch.targets.at("labels"), batch.targets.at("lengths"),
                                               m_config.maxSteps, direction.isBackward);
        const torch::Tensor logits = direction.decoder->taught(seen, taught.inputs);
        losses.emplace_back(direction.name, m_config.lossWeight * sequenceLoss(logits, taught));
    }
    return losses;
}

std::vector<Prediction> Aster::predict(const Batch& batch) {
    const torch::NoGradGuard noGradients;
    const torch::Tensor seen = memory(batch);
    const Autocast plain(false);
    const BeamSearch search{m_config.beamWidth, m_config.maxSteps};
    std::vector<std::vector<DirectedReading>> readings(std::size_t(seen.size(0)));
    for (const Direction& direction : m_directions) {
        const BeamSearch::Reading found = direction.decoder->read(seen, search);
        const auto words = wordsOf(found.labels, direction.isBackward);
        const at::Tensor scores = found.scores.to(at::kCPU, at::kDouble).contiguous();
        for (std::size_t n = 0; n < words.size(); ++n)
            readings[n].push_back({m_labels.decode(words[n]), scores.data_ptr<double>()[n]});
    }
    std::vector<Prediction> predictions;
    for (const auto& own : readings) {
        const DirectedReading& best = likeliest(own);
        predictions.push_back({{}, best.text, std::exp(best.score)});
    }
    return predictions;
}

std::vector<std::string> Aster::classDependent() const {
    std::vector<std::string> prefixes;
    for (const Direction& direction : m_directions)
        for (const char* part : {"label_weight", "output."})
            prefixes.push_back(direction.name + "_decoder." + part);
    return prefixes;
}

Model::Summary Aster::summary(const Batch& batch) {
    if (!m_rectifier)
        return {};
    const torch::NoGradGuard noGradients;
    const auto straight = rectified(batch.images);
    const std::int64_t count = batch.images.size(0), shown = std::min<std::int64_t>(2, count);
    const auto asPicture = [](const torch::Tensor& image) { // from [-1, 1]
        return ((image.to(at::kFloat) + 1) * 127.5).round().clamp(0, 255).to(at::kByte);
    };
    Summary summary;
    for (const auto& [name, images] : {std::pair("InputImage", batch.images), {"RectifiedImage", straight.images}})
        for (std::int64_t i = 0; i < shown; ++i) {
            summary.pictures.emplace_back(fmt::format("{}1/image/{}", name, i), asPicture(images[i]));
            summary.pictures.emplace_back(fmt::format("{}2/image/{}", name, i), asPicture(images[count - shown + i]));
        }
    summary.values = {{"fc1", straight.features}, {"fc2", straight.points}};
    return summary;
}

void Aster::initialise(std::uint64_t seed) {
    const Initialiser initialiser(seed);
    for (const auto& item : m_extractor->named_parameters())
        if (item.value().dim() == 4)
            initialiser.varianceScaling(item.value(), "extractor." + item.key());
    for (std::size_t i = 0; i < m_encoders.size(); ++i)
        m_encoders[i]->initialise(initialiser, "encoder" + std::to_string(i) + ".");
    for (const Direction& direction : m_directions)
        direction.decoder->initialise(initialiser, direction.name + "_decoder.");
    if (m_rectifier)
        m_rectifier->initialise(initialiser, "rectifier.");
}

Result<std::shared_ptr<Model>> makeAster(const RunConfig& config, const ModelContext& context) {
    if (auto problem = objection(config.model.aster))
        return *problem;
    auto model = std::make_shared<Aster>(config.model.aster, config.model.norm);
    model->initialise(context.seed);
    return std::shared_ptr<Model>(model);
}

} // namespace trainyard
