#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// A class as its file knows it.
struct Category {
    std::int64_t id = 0;
    std::string name;
};

/// The way from a file's categories to the model's labels: by rising id, after `data.classes` has renamed, merged
/// and dropped. A class that `data.classes` does not name stays, unless "*" stands for all the others.
class ClassMap {
public:
    /// `names` is `data.classes`. One of its names that the file does not have is a Data error with both lists.
    static Result<ClassMap> make(std::vector<Category> categories, const std::map<std::string, std::string>& names,
                                 const std::string& where);

    bool knows(std::int64_t category) const { return m_labels.contains(category); }
    /// Nothing for a class that was dropped.
    std::optional<int> label(std::int64_t category) const;
    const std::vector<std::string>& classes() const { return m_classes; }
    /// The lowest category of each label.
    const std::vector<std::int64_t>& categoryIds() const { return m_categoryIds; }

private:
    std::map<std::int64_t, std::optional<int>> m_labels;
    std::vector<std::string> m_classes;
    std::vector<std::int64_t> m_categoryIds;
};

} // namespace trainyard
