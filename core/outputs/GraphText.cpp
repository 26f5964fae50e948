#include "core/outputs/GraphText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string inputText(const OperatorTensor& tensor) {
    const std::string source = !tensor.parameter.empty() ? tensor.parameter
                               : tensor.call >= 0        ? fmt::format("%{}", tensor.call)
                                                         : std::string("input");
    return fmt::format("{} {} {}", source, tensor.type, shapeText(tensor.shape));
}

} // namespace

std::string graphText(const GraphReport& report) {
    std::string text = fmt::format("# Operators of the forward pass of iteration {}: number, name, inputs, outputs.\n",
                                   report.iteration);
    for (std::size_t i = 0; i < report.calls.size(); ++i) {
        std::vector<std::string> inputs, outputs;
        for (const OperatorTensor& input : report.calls[i].inputs)
            inputs.push_back(inputText(input));
        for (const OperatorTensor& output : report.calls[i].outputs)
            outputs.push_back(fmt::format("{} {}", output.type, shapeText(output.shape)));
        text += fmt::format("{} {} ({}) -> ({})\n", i, report.calls[i].name, fmt::join(inputs, "; "),
                            fmt::join(outputs, "; "));
    }
    return text;
}

std::string initialText(const InitialReport& report) {
    std::string text = "# name\tshape\tinitialiser\tmean\tdeviation\tminimum\tmaximum\ttrained\n";
    for (const InitialValue& value : report.parameters)
        text += fmt::format("{}\t{}\t{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{}\n", value.name, shapeText(value.shape),
                            value.initialiser.empty() ? "the layer's own" : value.initialiser, value.mean,
                            value.deviation, value.minimum, value.maximum, value.isTrained ? "trained" : "frozen");
    return text;
}

} // namespace trainyard
