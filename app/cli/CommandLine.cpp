#include "app/cli/CommandLine.h"

namespace trainyard::cli {

std::filesystem::path Shared::projectFolder() const {
    if (!project.empty())
        return std::filesystem::absolute(project).lexically_normal();
    const auto here = std::filesystem::current_path();
    return Project::nearest(here).value_or(here);
}

Result<std::unique_ptr<Project>> Shared::openProject(Project::Mode mode) const {
    return Project::open(projectFolder(), mode);
}

} // namespace trainyard::cli
