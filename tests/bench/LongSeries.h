#pragma once

#include "core/base/Random.h"
#include "core/project/Series.h"
#include "tests/bench/Must.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::bench {

/// `count` scalars of so many series ("loss/0", "loss/1", …), a transaction for every hundred thousand.
inline void writeScalars(const std::filesystem::path& folder, int series, std::int64_t count) {
    const auto writer = must(SeriesWriter::open(folder));
    must(writer->beginSession(0));
    std::vector<std::string> names;
    for (int i = 0; i < series; ++i)
        names.push_back("loss/" + std::to_string(i));
    Random random(1);
    for (std::int64_t i = 0; i < count; ++i) {
        writer->add(names[std::size_t(i % series)], i / series + 1, random.uniform());
        if (i % 100000 == 99999)
            must(writer->flush());
    }
    must(writer->flush());
}

} // namespace trainyard::bench
