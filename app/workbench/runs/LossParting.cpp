#include "app/workbench/runs/LossParting.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace trainyard {
namespace {

constexpr const char* kLoss = "loss";
constexpr std::int64_t kStretch = 8192; ///< iterations

using Points = std::vector<std::vector<SeriesPoint>>; ///< a list each run

/// Walks the iterations that all have; true when one was found at which they differ.
bool compare(const Points& points, LossParting& parting) {
    std::vector<std::size_t> at(points.size(), 0);
    for (const SeriesPoint& first : points.front()) {
        std::vector<double> losses{first.value};
        for (std::size_t run = 1; run < points.size(); ++run) {
            while (at[run] < points[run].size() && points[run][at[run]].iteration < first.iteration)
                ++at[run];
            if (at[run] < points[run].size() && points[run][at[run]].iteration == first.iteration)
                losses.push_back(points[run][at[run]].value);
        }
        if (losses.size() != points.size())
            continue;
        ++parting.shared;
        parting.last = first.iteration;
        const auto bits = std::bit_cast<std::uint64_t>(losses.front());
        if (std::all_of(losses.begin(), losses.end(),
                        [&](double each) { return std::bit_cast<std::uint64_t>(each) == bits; }))
            continue;
        parting.iteration = first.iteration;
        parting.losses = losses;
        return true;
    }
    return false;
}

} // namespace

Result<LossParting> lossParting(const std::vector<std::filesystem::path>& runFolders,
                                const std::atomic<bool>& isCancelled) {
    std::vector<std::unique_ptr<SeriesReader>> readers;
    std::int64_t from = 0, to = std::numeric_limits<std::int64_t>::max();
    for (const auto& folder : runFolders) {
        auto reader = SeriesReader::open(folder);
        if (!reader)
            return reader.error();
        const auto range = (*reader)->range(kLoss);
        if (!range)
            return LossParting(); // nothing was trained yet
        from = std::max(from, range->first);
        to = std::min(to, range->second);
        readers.push_back(std::move(*reader));
    }
    LossParting parting;
    for (std::int64_t begin = from; begin <= to && !readers.empty(); begin += kStretch) {
        if (isCancelled)
            return Error{ErrorKind::Interrupted, "Stopped comparing losses.", "", ""};
        Points points;
        for (const auto& reader : readers) {
            auto found = reader->points(kLoss, begin, std::min(to, begin + kStretch - 1));
            if (!found)
                return found.error();
            points.push_back(std::move(*found));
        }
        if (compare(points, parting))
            break;
    }
    return parting;
}

} // namespace trainyard
