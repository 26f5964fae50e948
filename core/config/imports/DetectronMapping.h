#pragma once

#include "core/config/imports/DetectronConfig.h"
#include "core/config/imports/ImportTarget.h"

#include <set>
#include <string>
#include <vector>

namespace trainyard::detectron {

/// A Detectron configuration on its way to ours: what was taken over, and what is still to be said of the rest.
class Mapping {
public:
    Mapping(const Config& from, ImportTarget& to) : from(from), to(to) {}

    const Config& from;
    ImportTarget& to;

    /// Sets a key of ours that says what these of theirs say. Where we have no such key, theirs are listed in the end.
    bool put(const std::vector<std::string>& sources, const std::string& key, FieldValue value);
    /// Takes a value over as it is.
    bool map(const std::string& source, const std::string& key);
    /// Nothing more is to be said of these keys.
    void use(const std::vector<std::string>& sources);
    /// It becomes something else, which is said where the file sets it, or `always`.
    void adapt(const std::string& source, const std::string& text, bool always = false);
    void problem(const std::string& source, const std::string& message);

    /// Every key that the file sets and nothing was made of.
    void listTheRest();

private:
    ConfigProblem placeOf(const std::string& source) const;

    std::set<std::string> m_used;
};

// One function a part of the configuration.
void mapSolver(Mapping& mapping);
void mapData(Mapping& mapping);
void mapModel(Mapping& mapping);
void mapRegions(Mapping& mapping);
void mapEvaluation(Mapping& mapping);

} // namespace trainyard::detectron
