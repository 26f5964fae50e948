#include "tests/bench/Bench.h"

#include "core/base/Clock.h"

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace trainyard::bench {
namespace {

struct Entry {
    std::string name;
    std::function<std::vector<Comparison>()> compare;
    Check check;
};

/// Behind a function: other files register before main, in no certain order.
std::vector<Entry>& entries() {
    static std::vector<Entry> list;
    return list;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double secondsOf(const Variant& variant) {
    const double start = steadySeconds();
    variant.run();
    return steadySeconds() - start;
}

/// `repetitions` is 0 for the comparison's own number.
void measure(const Comparison& comparison, int repetitions) {
    std::vector<std::vector<double>> seconds(comparison.variants.size());
    for (const Variant& variant : comparison.variants)
        variant.run(); // caches and memory pools fill outside the figures
    if (repetitions == 0)
        repetitions = comparison.repetitions;
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (std::size_t i = 0; i < comparison.variants.size(); ++i)
            seconds[i].push_back(secondsOf(comparison.variants[i]));
    fmt::print("\n{}\n", comparison.name);
    const double first = median(seconds.front());
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        const double own = median(seconds[i]);
        const auto [fastest, slowest] = std::minmax_element(seconds[i].begin(), seconds[i].end());
        const Variant& variant = comparison.variants[i];
        fmt::print("  {:<44} {:>10.3f} ms  ({:.3f} to {:.3f})  {:>8.2f} %{}\n", variant.name, own * 1e3, *fastest * 1e3,
                   *slowest * 1e3, 100 * own / first, variant.note ? "  " + variant.note(own) : "");
    }
    std::fflush(stdout); // a person waits for each table
}

/// Prints one line a check; whether it passed.
bool isPassed(const Entry& entry) {
    std::string trouble;
    try {
        trouble = entry.check();
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    fmt::print("{:<24} {}\n", entry.name, trouble.empty() ? "agrees" : "DIFFERS: " + trouble);
    return trouble.empty();
}

} // namespace

Register::Register(std::string name, std::function<std::vector<Comparison>()> compare, Check check) {
    entries().push_back({std::move(name), std::move(compare), std::move(check)});
}

} // namespace trainyard::bench

int main(int argc, char** argv) {
    using namespace trainyard::bench;
    CLI::App app("Times Trainyard's parts against other ways of doing the same, or checks that twins agree.");
    bool isCheck = false;
    std::string filter;
    int threads = 2, repetitions = 0;
    app.add_flag("--check", isCheck, "Compare results instead of times; exit code 1 when one differs");
    app.add_option("--threads", threads, "Compute threads")->check(CLI::PositiveNumber);
    app.add_option("--repetitions", repetitions, "Times each is timed; 0 is the benchmark's own number")
        ->check(CLI::NonNegativeNumber);
    app.add_option("FILTER", filter, "Only benchmarks whose name contains this");
    CLI11_PARSE(app, argc, argv);
    at::set_num_threads(threads);

    int failures = 0, done = 0;
    for (const auto& entry : entries()) {
        if (entry.name.find(filter) == std::string::npos || (isCheck && !entry.check) || (!isCheck && !entry.compare))
            continue;
        ++done;
        if (isCheck)
            failures += isPassed(entry) ? 0 : 1;
        else
            for (const Comparison& comparison : entry.compare())
                measure(comparison, repetitions);
    }
    if (done == 0)
        fmt::print(stderr, "No benchmark is called \"{}\".\n", filter);
    return failures > 0 || done == 0 ? 1 : 0;
}
