#pragma once

#include "core/config/imports/ConfigImport.h"

#include <string>
#include <vector>

namespace trainyard {

/// The configuration that an import fills in, key by key, and what is to be said about it.
class ImportTarget {
public:
    ImportTarget(std::string source, std::string file) : m_file(std::move(file)) {
        m_result.source = std::move(source);
    }

    /// Whether there is such a key.
    static bool has(const std::string& key) { return Schema::instance().find(key) != nullptr; }
    /// Sets a key of ours; false where there is none, none of that type, or none with that choice. A whole number is
    /// also taken for a real one.
    bool set(const std::string& key, FieldValue value);
    RunConfig& config() { return m_result.config; }

    void note(ImportNote::Kind kind, const ConfigProblem& place, std::string text);
    /// A thing that cannot be imported; then nothing is.
    void problem(const ConfigProblem& place, std::string message);
    void problems(const std::vector<ConfigProblem>& all);

    /// The result, or everything that is wrong: problems, and values that our own rules refuse.
    Result<ImportedConfig> result() &&;

private:
    std::string m_file;
    ImportedConfig m_result;
    std::vector<ConfigProblem> m_problems;
};

} // namespace trainyard
