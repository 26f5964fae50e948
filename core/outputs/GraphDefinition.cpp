#include "core/outputs/GraphDefinition.h"

#include "core/data/ProtobufWire.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace trainyard {
namespace {

using namespace protobuf;

/// TensorFlow allows letters, digits and _ . - / in a node's name.
std::string safe(std::string name) {
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '/')
            c = '_';
    return name;
}

std::string parameterNode(const std::string& name) {
    std::string path = name;
    std::replace(path.begin(), path.end(), '.', '/');
    return fmt::format("parameters/{}", safe(path));
}

/// "aten/conv2d_12"
std::string callNode(const GraphReport& report, std::int64_t call) {
    std::string name;
    for (const char c : report.calls[std::size_t(call)].name) // "::" becomes one slash
        if (c != ':')
            name += c;
        else if (!name.ends_with('/'))
            name += '/';
    return fmt::format("{}_{}", safe(name), call);
}

/// The attribute "_output_shapes", which TensorBoard writes beside edges.
std::string shapesAttribute(const std::vector<OperatorTensor>& tensors) {
    std::string list;
    for (const OperatorTensor& tensor : tensors) {
        std::string shape;
        for (const std::int64_t size : tensor.shape) {
            std::string dimension;
            appendNumber(dimension, 1, std::uint64_t(size));
            appendBytes(shape, 2, dimension);
        }
        appendBytes(list, 7, shape);
    }
    std::string value, entry;
    appendBytes(value, 1, list);
    appendBytes(entry, 1, "_output_shapes");
    appendBytes(entry, 2, value);
    return entry;
}

void appendNode(std::string& graph, const std::string& name, const std::string& kind,
                const std::vector<std::string>& inputs, const std::vector<OperatorTensor>& outputs) {
    std::string node;
    appendBytes(node, 1, name);
    appendBytes(node, 2, kind);
    for (const std::string& input : inputs)
        appendBytes(node, 3, input);
    appendBytes(node, 5, shapesAttribute(outputs));
    appendBytes(graph, 1, node);
}

} // namespace

std::string graphDefinition(const GraphReport& report) {
    std::string graph;
    std::set<std::string> known;
    for (std::size_t i = 0; i < report.calls.size(); ++i) {
        const OperatorCall& call = report.calls[i];
        std::vector<std::string> inputs;
        for (const OperatorTensor& input : call.inputs) {
            if (!input.parameter.empty()) {
                inputs.push_back(parameterNode(input.parameter));
                if (known.insert(inputs.back()).second)
                    appendNode(graph, inputs.back(), "Parameter", {}, {input});
            } else if (input.call >= 0) {
                inputs.push_back(callNode(report, input.call));
            }
        }
        appendNode(graph, callNode(report, std::int64_t(i)), call.name, inputs, call.outputs);
    }
    return graph;
}

} // namespace trainyard
