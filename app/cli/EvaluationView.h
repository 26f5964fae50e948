#pragma once

#include "app/cli/CommandLine.h"
#include "app/engine/Evaluation.h"

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::cli {

/// Where the predictions were written, by kind of result; empty where they were not.
using ResultsPlaces = std::map<std::string, std::filesystem::path>;

/// What an evaluation found, on standard output: tables, or with --json one object.
void printEvaluation(const Shared& shared, const EvaluationResult& result, const ResultsPlaces& places);

} // namespace trainyard::cli
