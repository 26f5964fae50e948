#include "app/cli/ConfigArgument.h"

#include "core/config/ConfigFile.h"

namespace trainyard::cli {

Result<RunConfig> configArgument(const std::string& nameOrPath, const std::vector<std::string>& overrides) {
    auto parsed = nameOrPath.empty() ? Result<ParsedConfig>(ParsedConfig()) : loadConfig(nameOrPath);
    if (!parsed)
        return parsed.error();
    applyOverrides(*parsed, overrides);
    if (!parsed->isGood())
        return parsed->error();
    return parsed->config;
}

} // namespace trainyard::cli
