#pragma once

#include "core/config/ConfigFile.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// Something about an import that a person should know: nothing of the file is dropped in silence.
struct ImportNote {
    enum class Kind {
        NoCounterpart, ///< it is set in the file, and nothing here is like it
        Deprecated,    ///< an old key or name, passed over or taken for its successor
        Adapted,       ///< it became something that is not quite the same, or must be looked at
    };
    Kind kind = Kind::NoCounterpart;
    std::string where; ///< "file:line:column"; empty for what no line says
    std::string key;   ///< in the file's own words
    std::string value; ///< as the file writes it; may be empty
    std::string text;  ///< sentence; may be empty where the kind says it all

    std::string sentence() const; ///< "KEY: VALUE has no counterpart." and the text
};

/// A configuration of another trainer as one of ours.
struct ImportedConfig {
    std::string source; ///< "Detectron", "ASTER"
    RunConfig config;
    std::vector<ImportNote> notes;

    /// What differs from the defaults, below comments that say where it comes from and what the notes are.
    std::string yaml(const std::string& file) const;
};

enum class ImportSource { Detectron, Aster };

/// What wrote the file, by its name's ending (.yaml and .yml; .prototxt, .pbtxt and .config), else by its text.
ImportSource importSourceOf(const std::string& name, std::string_view text);

/// Reads the YAML of a Detectron configuration; `pairs` are KEY VALUE … as its command line takes them. Everything that
/// is wrong with it, and every value that cannot be one of ours, is one Usage error, a line each.
Result<ImportedConfig> importDetectron(std::string_view text, const std::string& name,
                                       const std::vector<std::string>& pairs = {});

/// Reads the protobuf text of an ASTER configuration.
Result<ImportedConfig> importAster(std::string_view text, const std::string& name);

} // namespace trainyard
