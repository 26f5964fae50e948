#include "core/interop/WeightMatch.h"

#include "core/interop/DetectronValues.h"
#include "core/interop/WeightNames.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace trainyard {
namespace {

constexpr double kNormEpsilon = 1e-5; // of frozen and batch normalisation

std::string shapeText(const at::Tensor& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", "));
}

std::vector<std::string> namesOf(const WeightList& tensors) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors)
        names.push_back(name);
    return names;
}

/// The file's tensors, found under our names.
class Matching {
public:
    Matching(const WeightList& targets, const WeightFile& file, const MatchOptions& options)
        : m_targets(targets), m_file(file), m_options(options), m_facts(detectronFacts(file.detectronConfig)),
          m_levels(pyramidLevelsOf(namesOf(targets))) {
        for (const auto* list : {&file.weights, &file.preserved})
            for (const auto& [name, tensor] : *list)
                m_sources.emplace(name, tensor);
    }

    Result<WeightMatch> match() {
        m_match.report.format = m_file.format;
        m_match.report.optimiserState = m_file.optimiserState;
        m_match.report.lacksBoxWeights = m_facts.hasConfig && !m_facts.hasBoxWeights;
        for (const auto& [name, target] : m_targets)
            place(name, target);
        foldOffset();
        if (!m_mismatches.empty())
            return misfit(fmt::format(
                "The weights do not fit the model: {}{}.",
                fmt::join(m_mismatches.begin(), m_mismatches.begin() + std::ptrdiff_t(shown()), "; "),
                m_mismatches.size() > shown() ? fmt::format("; and {} more", m_mismatches.size() - shown()) : ""));
        if (m_match.copies.empty() && m_match.report.startedAnew.empty())
            return misfit(fmt::format("None of the file's {} tensors has a place in the model; the first is called {}.",
                                      m_file.weights.size(), m_file.weights.front().first));
        collectUnexpected();
        return std::move(m_match);
    }

private:
    std::size_t shown() const { return std::min<std::size_t>(m_mismatches.size(), 5); }

    Error misfit(std::string what) const {
        return {ErrorKind::Usage, std::move(what), "",
                "Set the model's keys to what the weights were made with, or choose other weights."};
    }

    /// The file's name for ours; empty where it has none.
    std::string sourceOf(const std::string& name) const {
        for (const std::string& candidate : torchNames(name))
            if (m_sources.contains(candidate))
                return candidate;
        for (const std::string& candidate : detectronNames(name, m_levels)) {
            if (candidate.find('#') == std::string::npos) {
                if (m_sources.contains(candidate))
                    return candidate;
                continue;
            }
            for (const auto& [known, tensor] : m_sources)
                if (isLike(known, candidate))
                    return known;
        }
        return {};
    }

    void place(const std::string& name, const at::Tensor& target) {
        const std::string source = sourceOf(name);
        WeightReport& report = m_match.report;
        if (source.empty()) {
            if (derive(name, target))
                report.derived.push_back(name);
            else if (!name.ends_with("num_batches_tracked")) // older files lack it
                report.missing.push_back(name);
            return;
        }
        m_used.insert(source);
        const at::Tensor value = valueOf(source);
        if (value.sizes() == target.sizes()) {
            if (source == name)
                report.matched.push_back(name);
            else
                report.renamed.emplace_back(name, source);
            m_places.emplace(source, m_match.copies.size());
            m_match.copies.emplace_back(target, value);
        } else if (dependsOnClasses(name)) {
            report.startedAnew.push_back(name);
        } else {
            m_mismatches.push_back(
                fmt::format("{} is {} in the file and {} in the model", name, shapeText(value), shapeText(target)));
        }
    }

    bool dependsOnClasses(const std::string& name) const {
        return std::any_of(m_options.classDependent.begin(), m_options.classDependent.end(),
                           [&](const std::string& prefix) { return name.starts_with(prefix); });
    }

    at::Tensor valueOf(const std::string& source) {
        const at::Tensor& value = m_sources.at(source);
        if (source == "conv1_w" || source == "conv1_1_w")
            return firstConvolution(value, m_facts, m_options.pixels, m_offset);
        if (source.starts_with("retnet_cls_pred_fpn") || source.starts_with("retnet_bbox_pred_fpn"))
            return anchorRows(value, m_facts, m_options.anchorRatios);
        return value;
    }

    /// Statistics that leave a fixed scale and offset of Detectron as they are.
    bool derive(const std::string& name, const at::Tensor& target) {
        const bool isMean = name.ends_with(".running_mean"), isVariance = name.ends_with(".running_var");
        if (!isMean && !isVariance)
            return false;
        const std::string scale = sourceOf(name.substr(0, name.rfind('.')) + ".weight");
        if (!scale.ends_with("_bn_s"))
            return false;
        m_match.copies.emplace_back(target, at::full(target.sizes(), isMean ? 0.0 : 1.0 - kNormEpsilon));
        return true;
    }

    /// What another mean of the pixels adds to the first convolution goes into the offset behind it.
    void foldOffset() {
        if (!m_offset.defined() || m_offset.abs().max().item<double>() == 0)
            return;
        for (const auto& [offset, scale] : {std::pair("res_conv1_bn_b", "res_conv1_bn_s"), {"conv1_1_b", ""}}) {
            const auto found = m_places.find(offset);
            if (found == m_places.end())
                continue;
            const auto factor = m_sources.find(scale);
            at::Tensor& value = m_match.copies[found->second].second;
            value = (value.to(at::kDouble) +
                     (factor == m_sources.end() ? m_offset : m_offset * factor->second.to(at::kDouble)))
                        .to(value.scalar_type());
            m_match.report.remarks.emplace_back("The first convolution was changed to the model's pixels; at the "
                                                "border of a picture its values differ a little.");
            return;
        }
        m_match.report.remarks.emplace_back("The file's mean of the pixels differs from the model's, which nothing "
                                            "behind the first convolution can make up for.");
    }

    void collectUnexpected() {
        const bool isCarried = m_file.format == WeightFormat::Detectron || !m_file.preserved.empty();
        for (const auto* list : {&m_file.weights, &m_file.preserved})
            for (const auto& [name, tensor] : *list)
                if (!m_used.contains(name)) {
                    m_match.report.unexpected.push_back(name);
                    if (isCarried)
                        m_match.preserved.emplace_back(name, tensor);
                }
    }

    const WeightList& m_targets;
    const WeightFile& m_file;
    const MatchOptions& m_options;
    const DetectronFacts m_facts;
    const int m_levels;
    std::unordered_map<std::string, at::Tensor> m_sources;
    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, std::size_t> m_places; ///< in m_match.copies, by the file's name
    at::Tensor m_offset;                                   ///< of the first convolution, [out]
    std::vector<std::string> m_mismatches;
    WeightMatch m_match;
};

} // namespace

Result<WeightMatch> matchWeights(const WeightList& targets, const WeightFile& file, const MatchOptions& options) {
    return Matching(targets, file, options).match();
}

} // namespace trainyard
