// The named folders of data. data-roots.json beside the index gets the same rows, so that a lost index does not lose
// them.
#include "core/project/ProjectRoots.h"
#include "core/project/ProjectDatabase.h"

#include "core/base/AtomicFile.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::string withoutSlash(const fs::path& folder) {
    std::string text = folder.lexically_normal().string();
    while (text.size() > 1 && text.ends_with('/'))
        text.pop_back();
    return text;
}

/// Relative to the project where it lies inside, so that a project that carries its data can be moved whole.
std::string storedFolder(const fs::path& project, const std::string& folder) {
    const fs::path absolute = withoutSlash(fs::absolute(folder));
    const fs::path relative = absolute.lexically_relative(withoutSlash(fs::absolute(project)));
    return relative.empty() || *relative.begin() == ".." ? absolute.string() : relative.string();
}

} // namespace

Result<std::vector<Row>> readRootsFile(const fs::path& project) {
    const auto text = readFile(project / kRootsFile, ErrorKind::Damaged);
    if (!text)
        return text.error();
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    std::vector<Row> rows;
    if (json.is_array())
        for (const auto& row : json)
            if (row.is_object() && !textIn(row, "name").empty() && !textIn(row, "folder").empty())
                rows.push_back(row);
    if (!json.is_array() || rows.size() != json.size())
        return Error{ErrorKind::Damaged, "The copy of the data roots is damaged.", (project / kRootsFile).string(),
                     "Set one of them again, which writes it anew: trainyard project roots set NAME FOLDER."};
    return rows;
}

std::vector<Row> rootRows(const Database& database) {
    auto rows = database.statement("SELECT name, folder FROM data_root ORDER BY name");
    return rowsOf(rows);
}

std::string unknownRoot(std::int64_t run, const std::string& name) {
    return fmt::format("Run {}: its data lies in the root “{}”, which is not known. Say where: {}.", run, name,
                       DataRoots::command(name));
}

Result<void> writeRootsFile(const fs::path& project, const Database& database) {
    return writeFile(project / kRootsFile, textOf(rootRows(database), 1) + "\n");
}

Result<std::vector<DataRoot>> ProjectDatabase::dataRoots() const {
    return read([&]() -> Result<std::vector<DataRoot>> {
        std::vector<DataRoot> roots;
        for (const Row& row : rootRows(*m_database))
            roots.push_back({textIn(row, "name"), withoutSlash(fs::absolute(m_folder) / textIn(row, "folder"))});
        return roots;
    });
}

Result<void> ProjectDatabase::setDataRoot(const std::string& name, const std::string& folder) {
    if (auto objection = DataRoots::objection(name))
        return *objection;
    return write([&]() -> Result<void> {
        m_database->execute("INSERT INTO data_root (name, folder) VALUES (?, ?) "
                            "ON CONFLICT (name) DO UPDATE SET folder = excluded.folder",
                            name, storedFolder(m_folder, folder));
        return writeRootsFile(m_folder, *m_database);
    });
}

Result<void> ProjectDatabase::removeDataRoot(const std::string& name) {
    return write([&]() -> Result<void> {
        if (m_database->execute("DELETE FROM data_root WHERE name = ?", name) == 0)
            return Error{ErrorKind::Usage, "The project has no such data root.", name,
                         "See: trainyard project roots list."};
        return writeRootsFile(m_folder, *m_database);
    });
}

} // namespace trainyard
