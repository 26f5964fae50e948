#pragma once

#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"

#include <memory>
#include <mutex>

namespace trainyard {

/// A piece of a picture, in its pixels.
struct Tile {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Tile&) const = default;
};

/// Squares of `size` that cover the picture, row by row, evenly spread, neighbours sharing `overlap` pixels or more;
/// less than `size` only where the picture itself is. The whole picture where `size` is 0 or it fits.
std::vector<Tile> tilesOf(int width, int height, const TilesConfig& config);

/// The part of `sample` in `tile`: objects cut along; `info` still speaks of the whole file, and its offset leads
/// there.
Sample cutTile(const Sample& sample, const Tile& tile);

/// A dataset whose samples are tiles of its images, those of an image one after the other. Each has the image's id.
/// Keeps the image decoded last. Any thread.
class TiledDataset final : public Dataset {
public:
    TiledDataset(std::shared_ptr<const Dataset> whole, const TilesConfig& config);

    TaskKind task() const override { return m_whole->task(); }
    std::string name() const override { return m_whole->name(); }
    std::string format() const override { return m_whole->format(); }
    std::int64_t size() const override { return std::int64_t(m_places.size()); }
    const std::vector<std::string>& classes() const override { return m_whole->classes(); }
    std::vector<std::int64_t> categoryIds() const override { return m_whole->categoryIds(); }
    SampleInfo info(std::int64_t index) const override { return m_whole->info(at(index).image); }
    Result<Sample> sample(std::int64_t index) const override;
    const std::vector<DataProblem>& problems() const override { return m_whole->problems(); }
    std::string fingerprint() const override { return "tiles of " + m_whole->fingerprint(); }

    /// Whether this is the last tile of its image.
    bool isLast(std::int64_t index) const { return index + 1 == size() || at(index + 1).image != at(index).image; }

private:
    struct Place {
        std::int64_t image = 0;
        Tile tile;
    };
    const Place& at(std::int64_t index) const { return m_places.at(std::size_t(index)); }
    Result<std::shared_ptr<const Sample>> image(std::int64_t index) const;

    std::shared_ptr<const Dataset> m_whole;
    std::vector<Place> m_places;
    mutable std::mutex m_mutex;
    mutable std::int64_t m_lastIndex = -1;
    mutable std::shared_ptr<const Sample> m_last;
};

/// What was found in the tiles of a picture, in its pixels, as what was found in the picture, best first. Boxes of one
/// class from two tiles that share more than `mergeOverlap` of the smaller one are one object: the better box where
/// they overlap by more than half, else (each saw a piece of it) the box and the mask around both.
std::vector<Detection> mergeTiles(const std::vector<std::vector<Detection>>& tiles, double mergeOverlap);

} // namespace trainyard
