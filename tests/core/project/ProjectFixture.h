#pragma once

#include "core/project/Project.h"
#include "tests/support/TestData.h"

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::testing {

/// The value itself, or the end of the test program with the Error's sentence.
template <class T>
T must(Result<T> result) {
    if (!result)
        qFatal("%s", result.error().sentence().c_str());
    return std::move(*result);
}

inline std::unique_ptr<Project> makeProject(const std::filesystem::path& folder) {
    return must(Project::open(folder, Project::Mode::ReadWrite, true));
}

inline NewRun aRun(const std::string& name = "words") {
    NewRun run;
    run.name = name;
    run.modelType = "crnn";
    run.task = "recognition";
    run.config = "seed: 7\n";
    run.overrides = {"seed=7", "solve.base_lr=0.1"};
    run.seed = 18446744073709551615ull; // the largest there is
    run.codeVersion = "0.1.0";
    run.libraries = "LibTorch 1.13.1";
    run.device = "CPU, 2 threads";
    run.dataFingerprint = "0123456789abcdef";
    run.iterations = 1000;
    return run;
}

/// The index is gone, as after a slip of the hand; the runs' folders stay.
inline void removeIndex(const std::filesystem::path& folder) {
    for (const char* name : {"project.sqlite", "project.sqlite-wal", "project.sqlite-shm"})
        std::filesystem::remove(folder / name);
}

/// Runs `deed` in a child process, which ends with what it returns (or by the signal it gives itself); its wait status.
inline int inChild(const std::function<int()>& deed) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(deed());
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

} // namespace trainyard::testing
