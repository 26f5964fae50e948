#pragma once

#include <chrono>

namespace gloo {

/// Only what c10d's header calls inline. Never constructed or called by us.
class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

} // namespace gloo
