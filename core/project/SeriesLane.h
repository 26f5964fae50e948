#pragma once

#include "core/project/PointCodec.h"
#include "core/project/SeriesPyramid.h"

#include <string>
#include <vector>

namespace trainyard {

/// One series in one session, as its writer keeps it: what is not known to be on disk stays here.
struct SeriesLane {
    std::int64_t id = 0;
    std::int64_t series = 0;
    std::string name;
    bool isStored = false;         ///< its row
    std::int64_t chunks = 0;       ///< full ones so far
    std::vector<std::string> full; ///< the last of them, not yet on disk
    std::vector<SeriesPoint> open; ///< after the last full chunk
    std::size_t openStored = 0;    ///< of them, how many are in the table
    bool hasTail = false;          ///< rows in the table, maybe of points that are in `full` by now
    PyramidBuilder pyramid;

    void add(const SeriesPoint& point) {
        open.push_back(point);
        if (std::int64_t(open.size()) < kChunkPoints)
            return;
        full.push_back(encodePoints(open, true));
        pyramid.addChunk(open);
        ++chunks;
        open.clear();
        openStored = 0;
    }
    bool isWritten() const { return full.empty() && openStored == open.size(); }
};

} // namespace trainyard
