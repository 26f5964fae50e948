#include "core/data/Tiles.h"

#include "core/data/Geometry.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {
namespace {

/// Where the tiles of one direction begin.
std::vector<int> beginningsOf(int length, int size, int overlap) {
    if (length <= size)
        return {0};
    const int step = size - overlap, count = (length - overlap + step - 1) / step;
    std::vector<int> beginnings;
    for (int i = 0; i < count; ++i)
        beginnings.push_back(int(std::lround(double(length - size) * i / (count - 1))));
    return beginnings;
}

double sharedArea(const Box& a, const Box& b) {
    const double width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    const double height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
    return width > 0 && height > 0 ? width * height : 0;
}

Box around(const Box& a, const Box& b) {
    return {std::min(a.x1, b.x1), std::min(a.y1, b.y1), std::max(a.x2, b.x2), std::max(a.y2, b.y2)};
}

/// The pixels of either mask, of one size both.
RunLengthMask united(const RunLengthMask& a, const RunLengthMask& b) {
    RunLengthMask mask{a.width, a.height, {}};
    const RunLengthMask* masks[] = {&a, &b};
    std::size_t runs[] = {0, 0};
    std::uint32_t left[] = {0, 0}, run = 0;
    bool isSet = false;
    for (;;) {
        for (int i = 0; i < 2; ++i)
            while (left[i] == 0 && runs[i] < masks[i]->counts.size())
                left[i] = masks[i]->counts[runs[i]++];
        const std::uint32_t step = std::min(left[0], left[1]);
        if (step == 0)
            break;
        const bool isHere = runs[0] % 2 == 0 || runs[1] % 2 == 0; // the second, fourth, … run is of ones
        if (isHere != isSet) {
            mask.counts.push_back(run);
            run = 0;
            isSet = isHere;
        }
        run += step;
        left[0] -= step;
        left[1] -= step;
    }
    mask.counts.push_back(run);
    return mask;
}

/// An object and the tiles that saw it.
struct Merged {
    Detection object;
    std::set<std::size_t> tiles;

    bool isSeenIn(const Detection& other, std::size_t tile, double mergeOverlap) const {
        const double smaller = std::min(object.box.area(), other.box.area());
        return other.label == object.label && !tiles.contains(tile) && smaller > 0 &&
               sharedArea(object.box, other.box) > mergeOverlap * smaller;
    }
    void absorb(const Detection& other, std::size_t tile) {
        tiles.insert(tile);
        const double shared = sharedArea(object.box, other.box);
        if (shared > 0.5 * (object.box.area() + other.box.area() - shared))
            return; // the same, seen whole by both
        object.box = around(object.box, other.box);
        if (object.mask && other.mask)
            object.mask = united(*object.mask, *other.mask);
    }
};

} // namespace

std::vector<Tile> tilesOf(int width, int height, const TilesConfig& config) {
    const int size = int(config.size), overlap = int(std::min(config.overlap, config.size / 2));
    if (size <= 0 || (width <= size && height <= size))
        return {{0, 0, width, height}};
    std::vector<Tile> tiles;
    for (const int y : beginningsOf(height, size, overlap))
        for (const int x : beginningsOf(width, size, overlap))
            tiles.push_back({x, y, std::min(size, width), std::min(size, height)});
    return tiles;
}

Sample cutTile(const Sample& sample, const Tile& tile) {
    Sample part{{tile.width, tile.height, sample.image.channels, {}},
                sample.objects,
                sample.info,
                sample.proposals,
                sample.keypointPairs};
    const auto channels = std::size_t(sample.image.channels), rowBytes = std::size_t(tile.width) * channels;
    part.image.pixels.resize(rowBytes * std::size_t(tile.height));
    for (int y = 0; y < tile.height; ++y)
        std::copy_n(sample.image.row(tile.y + y) + std::size_t(tile.x) * channels, rowBytes, part.image.row(y));
    moveObjects(part, {1, -double(tile.x), 1, -double(tile.y)}, tile.width, tile.height);
    return part;
}

TiledDataset::TiledDataset(std::shared_ptr<const Dataset> whole, const TilesConfig& config)
    : m_whole(std::move(whole)) {
    for (std::int64_t i = 0; i < m_whole->size(); ++i) {
        const SampleInfo info = m_whole->info(i);
        for (const Tile& tile : tilesOf(info.width, info.height, config))
            m_places.push_back({i, tile});
    }
}

Result<std::shared_ptr<const Sample>> TiledDataset::image(std::int64_t index) const {
    {
        const std::lock_guard lock(m_mutex);
        if (m_lastIndex == index)
            return m_last;
    }
    auto sample = m_whole->sample(index); // two threads may do this at once; waiting would not be quicker
    if (!sample)
        return sample.error();
    auto shared = std::make_shared<const Sample>(std::move(*sample));
    const std::lock_guard lock(m_mutex);
    m_lastIndex = index;
    m_last = shared;
    return shared;
}

Result<Sample> TiledDataset::sample(std::int64_t index) const {
    const Place& place = at(index);
    if (place.tile.width <= 0) // of unknown size: as it is
        return m_whole->sample(place.image);
    const auto whole = image(place.image);
    if (!whole)
        return whole.error();
    return cutTile(**whole, place.tile);
}

std::vector<Detection> mergeTiles(const std::vector<std::vector<Detection>>& tiles, double mergeOverlap) {
    struct Found {
        const Detection* object;
        std::size_t tile;
    };
    std::vector<Found> all;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile)
        for (const Detection& one : tiles[tile])
            all.push_back({&one, tile});
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.object->score > b.object->score; });
    std::vector<Merged> merged;
    for (const Found& found : all) {
        const auto same = std::find_if(merged.begin(), merged.end(), [&](const Merged& better) {
            return better.isSeenIn(*found.object, found.tile, mergeOverlap);
        });
        if (same != merged.end())
            same->absorb(*found.object, found.tile);
        else
            merged.push_back({*found.object, {found.tile}});
    }
    std::vector<Detection> objects;
    for (Merged& one : merged)
        objects.push_back(std::move(one.object));
    return objects;
}

} // namespace trainyard
