#pragma once

#include "core/models/Model.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// Who makes the model that `model.type` names. Filled once, with our own; read from any thread.
class ModelRegistry {
public:
    using Factory = std::function<Result<std::shared_ptr<Model>>(const RunConfig&, const ModelContext&)>;

    /// The registry with every model of this folder.
    static const ModelRegistry& standard();

    void add(const std::string& name, Factory factory) { m_factories[name] = std::move(factory); }
    std::vector<std::string> names() const;
    /// Fails with a Usage error for a name that nobody added.
    Result<std::shared_ptr<Model>> make(const RunConfig& config, const ModelContext& context) const;

private:
    std::map<std::string, Factory> m_factories;
};

} // namespace trainyard
