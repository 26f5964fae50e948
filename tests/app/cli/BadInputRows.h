#pragma once

#include "tests/app/cli/BadInput.h"

namespace trainyard::testing {

void addBadConfigurations(std::vector<BadInput>& rows);
void addBadData(std::vector<BadInput>& rows);
void addBadRuns(std::vector<BadInput>& rows);
void addBadArguments(std::vector<BadInput>& rows);

} // namespace trainyard::testing
