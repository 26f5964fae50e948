#include "core/config/imports/AsterVariables.h"

#include "core/base/Expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace trainyard::aster {
namespace {

/// The names of one network, part by part.
class Naming {
public:
    Naming(const ModelConfig& model) : m_net(model.aster), m_isNormed(model.norm != "none") {}

    void addRectifier() {
        const std::string theirs = "LocalizationNet/";
        for (int i = 1; i <= 6; ++i)
            addConvolution(fmt::format("{}Convnet/conv{}", theirs, i), fmt::format("rectifier.conv{}", i));
        add(theirs + "fully_connected/weights", "rectifier.fc1.weight");
        add(theirs + offset("fully_connected"), m_isNormed ? "rectifier.fc1_norm.bias" : "rectifier.fc1.bias");
        addDense(theirs + "fully_connected_1", "rectifier.fc2");
    }

    void addExtractor() {
        if (m_net.extractor == "crnn")
            return addCnn("FeatureExtractor/Convnet/");
        const std::string theirs = "FeatureExtractor/Convnet/ResNet/";
        addConvolution(theirs + "Conv0", "extractor.stem");
        for (std::size_t block = 1; block <= m_net.residualUnits.size(); ++block)
            for (std::int64_t unit = 1; unit <= m_net.residualUnits[block - 1]; ++unit) {
                const std::string scope = fmt::format("{}Block_{}/Unit_{}/", theirs, block, unit);
                const std::string module = fmt::format("extractor.block{}.unit{}.", block, unit);
                addConvolution(scope + "Conv1", module + "conv1");
                if (unit == 1)
                    addConvolution(scope + "ShortCut", module + "shortcut");
                addConvolution(scope + "Conv2", module + "conv2");
            }
    }

    void addEncoders() {
        const std::int64_t maps = m_net.extractor == "crnn" ? m_net.branches : 1;
        for (std::int64_t map = 0; map < maps; ++map)
            for (std::int64_t layer = 0; layer < m_net.layers; ++layer) {
                const std::string scope = fmt::format("FeatureExtractor/BidirectionalRnn_Branch_{}_{}/", map, layer);
                const std::string module = fmt::format("encoder{}.rnn{}.", map, layer);
                for (const auto& [direction, suffix] : {std::pair("fw", ""), {"bw", "_reverse"}})
                    addCell(scope + "bidirectional_rnn/" + direction + "/", m_net.encoderCell,
                            {module + "weight_ih" + suffix, module + "weight_hh" + suffix}, module + "bias" + suffix,
                            module + "peepholes" + suffix);
                addDense(scope + "fully_connected", fmt::format("encoder{}.projection{}", map, layer));
            }
    }

    void addDecoder(const std::string& predictor, const std::string& direction) {
        const std::string scope = predictor + "/Predictor/", module = direction + "_decoder.";
        const bool hasLanguage = m_net.languageUnits > 0;
        const std::string cells = scope + "decoder/" + (hasLanguage ? "concat_output_multi_rnn_cell/cell_0/" : "");
        const std::string wrapper = cells + (m_net.sync ? "sync_attention_wrapper/" : "attention_wrapper/");
        const std::int64_t looks = m_net.multiAttention && m_net.extractor == "crnn" ? m_net.branches : 1;
        for (std::int64_t look = 0; look < looks; ++look) {
            const std::string number = look == 0 ? "" : std::to_string(look);
            const std::string theirs = look == 0 ? "" : "_" + number;
            const std::string attention = wrapper + "bahdanau_attention" + theirs;
            add(scope + "memory_layer" + theirs + "/kernel", module + "memory_layer" + number + ".weight");
            add(attention + "/query_layer/kernel", module + "query_layer" + number + ".weight");
            add(attention + "/attention_v", module + "attention" + number);
        }
        addCell(wrapper, m_net.decoderCell,
                {module + "label_weight", module + "context_weight", module + "hidden_weight"}, module + "bias",
                module + "peepholes");
        if (hasLanguage) // a cell of the same kind, but without peepholes
            addCell(scope + "decoder/concat_output_multi_rnn_cell/cell_1/", m_net.decoderCell == "gru" ? "gru" : "lstm",
                    {module + "language_label_weight", module + "language_hidden_weight"}, module + "language_bias",
                    "");
        add(scope + "decoder/dense/kernel", module + "output.weight");
        add(scope + "decoder/dense/bias", module + "output.bias");
    }

    std::vector<VariableName> take() { return std::move(m_names); }

private:
    void add(std::string variable, std::string parameter) {
        m_names.push_back({std::move(variable), std::move(parameter)});
    }

    std::string offset(const std::string& scope) const { return scope + (m_isNormed ? "/BatchNorm/beta" : "/biases"); }

    void addConvolution(const std::string& scope, const std::string& module) {
        add(scope + "/weights", module + ".conv.weight");
        add(offset(scope), module + (m_isNormed ? ".norm.bias" : ".conv.bias"));
    }

    void addDense(const std::string& scope, const std::string& module) {
        add(scope + "/weights", module + ".weight");
        add(scope + "/biases", module + ".bias");
    }

    void addCnn(const std::string& theirs) {
        for (int i = 1; i <= 4; ++i)
            addConvolution(fmt::format("{}conv{}", theirs, i), fmt::format("extractor.trunk.layer{}", i));
        for (std::int64_t branch = 0; branch < m_net.branches; ++branch)
            for (int i = 5; i <= 7; ++i) {
                const std::string scope = branch == 0 ? theirs : fmt::format("{}Branch{}/", theirs, branch);
                addConvolution(fmt::format("{}conv{}", scope, i), fmt::format("extractor.branch{}.layer{}", branch, i));
            }
    }

    void addCell(const std::string& scope, const std::string& kind, const std::vector<std::string>& kernels,
                 const std::string& bias, const std::string& peepholes) {
        const auto addPart = [&](const std::string& part) {
            for (const std::string& kernel : kernels)
                add(part + "kernel", kernel);
            add(part + "bias", bias);
        };
        if (kind == "gru") {
            addPart(scope + "gru_cell/gates/");
            addPart(scope + "gru_cell/candidate/");
            return;
        }
        addPart(scope + "lstm_cell/");
        if (kind == "peephole-lstm")
            for (const char* gate : {"w_f_diag", "w_i_diag", "w_o_diag"})
                add(scope + "lstm_cell/" + gate, peepholes);
    }

    const AsterConfig& m_net;
    bool m_isNormed;
    std::vector<VariableName> m_names;
};

std::string escaped(const std::string& name) {
    std::string text;
    for (const char c : name)
        text += c == '.' ? "\\." : std::string(1, c);
    return text;
}

/// Patterns that find `frozen` among `all`, which share `prefix`: the whole module, or its parts one by one.
void addPatterns(const std::set<std::string>& all, const std::set<std::string>& frozen, const std::string& prefix,
                 std::vector<std::string>& patterns) {
    if (frozen.empty())
        return;
    if (all.size() == frozen.size() && !prefix.empty()) {
        patterns.push_back(prefix.ends_with('.') ? "^" + escaped(prefix) : "^" + escaped(prefix) + "$");
        return;
    }
    std::map<std::string, std::pair<std::set<std::string>, std::set<std::string>>> parts; // all and frozen, by module
    for (const std::string& name : all) {
        const std::size_t dot = name.find('.', prefix.size());
        auto& [own, ownFrozen] = parts[dot == std::string::npos ? name : name.substr(0, dot + 1)];
        own.insert(name);
        if (frozen.contains(name))
            ownFrozen.insert(name);
    }
    for (const auto& [part, names] : parts)
        addPatterns(names.first, names.second, part, patterns);
}

} // namespace

std::vector<VariableName> variableNames(const ModelConfig& model, const PredictorNames& predictors) {
    Naming naming(model);
    if (model.aster.rectifier)
        naming.addRectifier();
    naming.addExtractor();
    naming.addEncoders();
    if (!predictors.forward.empty())
        naming.addDecoder(predictors.forward, "forward");
    if (!predictors.backward.empty())
        naming.addDecoder(predictors.backward, "backward");
    return naming.take();
}

Result<FrozenNames> frozenNames(const std::vector<VariableName>& names, const std::vector<std::string>& expressions) {
    FrozenNames result;
    std::set<std::string> all, frozen, trained;
    std::vector<bool> isPicked(names.size());
    for (const std::string& text : expressions) {
        const auto expression = compileExpression(text, "freeze_variables");
        if (!expression)
            return expression.error();
        bool isFound = false;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (std::regex_search(names[i].variable, *expression, std::regex_constants::match_continuous))
                isFound = isPicked[i] = true;
        if (!isFound)
            result.unused.push_back(text);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        all.insert(names[i].parameter);
        (isPicked[i] ? frozen : trained).insert(names[i].parameter);
    }
    for (const std::string& name : trained)
        if (frozen.erase(name) > 0)
            result.partly.push_back(name);
    addPatterns(all, frozen, "", result.patterns);
    return result;
}

} // namespace trainyard::aster
