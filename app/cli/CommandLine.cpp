#include "app/cli/CommandLine.h"

namespace trainyard::cli {

std::filesystem::path Shared::projectFolder() const {
    if (!project.empty())
        return project;
    if (const auto found = Project::nearest(std::filesystem::current_path()))
        return *found;
    return ".";
}

Result<std::unique_ptr<Project>> Shared::openProject(Project::Mode mode) const {
    return Project::open(projectFolder(), mode);
}

} // namespace trainyard::cli
