#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// A tensor that went into an operator or came out of it.
struct OperatorTensor {
    std::string type; ///< "float32"
    std::vector<std::int64_t> shape;
    std::int64_t call = -1; ///< the operator that made it, counted from 0; -1: it came from outside
    std::string parameter;  ///< its name where it is one of the model's parameters or buffers
};

/// An operator that was executed.
struct OperatorCall {
    std::string name; ///< "aten::conv2d"
    std::vector<OperatorTensor> inputs, outputs;
};

/// How a parameter began.
struct InitialValue {
    std::string name;
    std::vector<std::int64_t> shape;
    std::string initialiser; ///< "kaiming normal 0.0589", "constant 0", "weights of a file"
    double mean = 0, deviation = 0, minimum = 0, maximum = 0;
    bool isTrained = true;
};

/// How the parameters of a run that starts began.
struct InitialReport {
    std::vector<InitialValue> parameters;
};

/// What the first iteration of a session executed in its forward pass, in order; operators that others call within are
/// left out.
struct GraphReport {
    std::int64_t iteration = 0;
    std::vector<OperatorCall> calls;
};

/// A stretch of time that an operator took.
struct OperatorSpan {
    std::string name;
    std::int64_t thread = 0;
    double startMicroseconds = 0; ///< since the iteration began
    double microseconds = 0;
    std::string shapes; ///< of its inputs, for people
};

/// Where the time of one iteration went, operator by operator, on every thread.
struct ProfileReport {
    std::int64_t iteration = 0;
    std::vector<OperatorSpan> spans;
};

} // namespace trainyard
