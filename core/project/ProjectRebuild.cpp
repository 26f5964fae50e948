// The index made anew from the run folders. The old file is salvaged, kept aside and never deleted.
#include "core/project/ProjectDatabase.h"

#include "core/base/AtomicFile.h"
#include "core/project/ProjectRoots.h"
#include "core/project/RunFolder.h"
#include "core/project/RunRemains.h"
#include "core/project/Series.h"
#include "core/project/SeriesFile.h"

#include <fmt/format.h>
#include <set>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// Fills an empty index, run by run.
class Rebuild {
public:
    Rebuild(const fs::path& project, const Database& index, const Salvage& salvage)
        : m_project(project), m_index(index), m_salvage(salvage), m_folders(runFolders(project)) {
        for (const std::string& folder : m_folders)
            m_highest = std::max(m_highest, numberOf(folder));
    }

    std::vector<std::string> all() {
        m_index.execute("PRAGMA defer_foreign_keys = ON"); // a parent checkpoint may come later
        for (const std::string& folder : m_folders)
            add(folder);
        for (const Row& row : m_salvage.rows("setting"))
            insertRow(m_index, "setting", row);
        addRoots();
        for (const Row& row : m_salvage.rows("run"))
            if (!m_known.contains(textIn(row, "folder")))
                m_said.push_back(fmt::format("Run “{}” is left out: its folder {} is gone.", textIn(row, "name"),
                                             textIn(row, "folder")));
        m_index.execute("UPDATE run SET parent_checkpoint = NULL "
                        "WHERE parent_checkpoint NOT IN (SELECT id FROM checkpoint)");
        return m_said;
    }

private:
    /// Of the file beside the index, which is as new as the newest row; else of the old index.
    void addRoots() {
        const auto file = readRootsFile(m_project);
        for (const Row& row : file ? *file : m_salvage.rows("data_root"))
            try {
                insertRow(m_index, "data_root", row);
            } catch (const SQLite::Exception& refusal) { // written twice, by a hand
                m_said.push_back(fmt::format("A data root is left out ({}).", refusal.what()));
            }
        std::set<std::string> known;
        for (const Row& row : rootRows(m_index))
            known.insert(textIn(row, "name"));
        std::error_code failed;
        if (!file && (!known.empty() || fs::exists(m_project / kRootsFile, failed)))
            if (const auto written = writeRootsFile(m_project, m_index); !written)
                m_said.push_back(written.error().sentence());
        auto runs = m_index.statement("SELECT id, config FROM run ORDER BY id");
        while (runs.executeStep())
            for (const std::string& name : DataRoots::namesIn(runs.getColumn(1).getString()))
                if (!known.contains(name))
                    m_said.push_back(unknownRoot(runs.getColumn(0).getInt64(), name));
    }

    static std::int64_t numberOf(const std::string& folder) {
        return runNumber(fs::path(folder).filename().string()).value_or(0);
    }

    void add(const std::string& folder) {
        if (isUnborn(m_project / folder) && !m_salvage.runIn(folder).is_object()) {
            m_said.push_back(fmt::format("{} is left out: the run was killed while it was made.", folder));
            return;
        }
        mendSeriesOf(folder);
        RunRemains remains = RunRemains::gather(m_project, folder, m_salvage);
        // a folder copied by hand carries a number that another has: it gets a new one
        const std::int64_t id = m_numbers.insert(numberOf(folder)).second ? numberOf(folder) : ++m_highest;
        remains.run["id"] = id;
        remains.run["folder"] = folder;
        insertRun(remains);
        insertAll("tag", remains.tags, id);
        insertAll("session", remains.sessions, id);
        for (Row& row : remains.checkpoints) {
            if (m_index.number("SELECT count(*) FROM checkpoint WHERE id = ?", integerIn(row, "id")) > 0)
                row.erase("id");
        }
        insertAll("checkpoint", remains.checkpoints, id);
        for (auto* rows : {&remains.events, &remains.evaluations})
            for (Row& row : *rows)
                row.erase("id");
        insertAll("event", remains.events, id);
        insertAll("evaluation", remains.evaluations, id);
        m_known.insert(folder);
        if (!remains.hasRunFile)
            if (const auto written =
                    writeFile(m_project / folder / runfile::kRun, textOf(runFile(m_index, id), 1) + "\n");
                !written)
                remains.troubles.push_back(written.error().sentence());
        m_said.insert(m_said.end(), remains.troubles.begin(), remains.troubles.end());
        m_said.push_back(fmt::format("Run {} “{}”: iteration {}, checkpoints {}, events {}, evaluations {}.", id,
                                     textIn(remains.run, "name"), integerIn(remains.run, "iteration"),
                                     remains.checkpoints.size(), remains.events.size(), remains.evaluations.size()));
    }

    /// A damaged series file is written anew from what can be read of it, a lost one begun.
    void mendSeriesOf(const std::string& folder) {
        const auto writer = SeriesWriter::open(m_project / folder);
        if (!writer)
            m_said.push_back(writer.error().sentence());
        else
            for (const std::string& news : (*writer)->takeNews())
                m_said.push_back(fmt::format("{}: {}", folder, news));
    }

    void insertRun(RunRemains& remains) {
        try {
            insertRow(m_index, "run", remains.run);
        } catch (const SQLite::Exception&) { // a run file with nonsense in it: what the run is called must do
            remains.troubles.push_back(fmt::format("The run file of {} is damaged.", textIn(remains.run, "folder")));
            remains.hasRunFile = false;
            remains.run = {{"id", remains.run["id"]},
                           {"folder", remains.run["folder"]},
                           {"name", textIn(remains.run, "name")},
                           {"status", int(RunStatus::Stopped)}};
            insertRow(m_index, "run", remains.run);
        }
    }

    /// A row that the schema refuses (twice the same, a value of nonsense) is named and left out.
    void insertAll(const std::string& table, const std::vector<Row>& rows, std::int64_t run) {
        for (Row row : rows) {
            row["run"] = run;
            try {
                insertRow(m_index, table, row);
            } catch (const SQLite::Exception& refusal) {
                m_said.push_back(fmt::format("Run {}: a row of {} is left out ({}).", run, table, refusal.what()));
            }
        }
    }

    const fs::path& m_project;
    const Database& m_index;
    const Salvage& m_salvage;
    std::vector<std::string> m_folders;
    std::set<std::int64_t> m_numbers;
    std::set<std::string> m_known;
    std::int64_t m_highest = 0;
    std::vector<std::string> m_said;
};

Result<std::vector<std::string>> makeIndex(const fs::path& folder, const fs::path& file, const Salvage& salvage) {
    auto index = Database::open(file, Access::Create, kProjectKind);
    if (!index)
        return index.error();
    return (*index)->write(
        [&]() -> Result<std::vector<std::string>> { return Rebuild(folder, **index, salvage).all(); });
}

} // namespace

Result<std::vector<std::string>> rebuildProject(const fs::path& folder) {
    const auto file = folder / kProjectFile;
    std::error_code failed;
    if (!fs::exists(file, failed) && runFolders(folder).empty())
        return Error{ErrorKind::Damaged, "There is no project here.", folder.string(), "Name another folder."};
    for (const std::string& run : runFolders(folder))
        if (RunLock::isHeld(folder / run))
            return Error{ErrorKind::Damaged, "A run of this project is being trained.", (folder / run).string(),
                         "Stop it first, then rebuild."};
    const Salvage salvage = fs::exists(file, failed) ? Salvage(file) : Salvage();
    const fs::path fresh = file.string() + ".rebuilding";
    removeDatabase(fresh);
    auto said = makeIndex(folder, fresh, salvage);
    if (!said) {
        removeDatabase(fresh);
        return said;
    }
    try {
        if (fs::exists(file))
            said->push_back(fmt::format("The old index is kept as {}.", setAside(file).filename().string()));
        fs::rename(fresh, file);
    } catch (const fs::filesystem_error& problem) {
        return Error{ErrorKind::Damaged,
                     fmt::format("The new index cannot take its place: {}.", problem.code().message()), file.string(),
                     "Check the permissions of the project's folder and rebuild again."};
    }
    return said;
}

} // namespace trainyard
