#include "app/workbench/data/ThumbnailLoader.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

namespace trainyard {
namespace {

constexpr int kMostKilobytes = 192 * 1024;
constexpr int kCachedSides[] = {256, 512, 1024}; ///< what lies on disk: few sizes, so that zooming finds some
constexpr auto kPatience = std::chrono::seconds(1);

int cachedSide(int side) {
    for (const int each : kCachedSides)
        if (side <= each)
            return each;
    return kCachedSides[std::size(kCachedSides) - 1];
}

Thumbnail makeThumbnail(const OpenedData& data, std::size_t set, std::int64_t sample, int side, ThumbnailCache& cache) {
    const std::string key = data.pictureKey(set, sample);
    ThumbnailCache::Entry entry = cache.find(key, side);
    if (entry.isNull()) {
        const auto whole = data.picture(set, sample);
        if (!whole)
            return {{}, QString::fromStdString(whole.error().sentence())};
        const QImage image = toQImage(whole->image);
        entry.size = image.size();
        entry.image = std::max(image.width(), image.height()) > side
                          ? image.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                          : image;
        cache.store(key, side, entry);
    }
    const SampleInfo info = data.info(set, sample);
    Thumbnail made;
    // boxes that were cut out of a photo are not this picture's
    const bool isWord = data.sets().at(set).task == TaskKind::Recognition;
    made.picture = annotated(entry.image, entry.size, isWord ? std::vector<ObjectAnnotation>() : info.objects,
                             info.transcript, side);
    return made;
}

std::int64_t kilobytesOf(const Thumbnail& thumbnail) {
    std::int64_t bytes = 1024 + thumbnail.picture.image.sizeInBytes();
    for (const auto& object : thumbnail.picture.objects)
        bytes += object.mask.sizeInBytes() + 128;
    return bytes / 1024 + 1;
}

} // namespace

/// What the threads see.
struct ThumbnailLoader::Shared {
    std::mutex mutex;
    std::condition_variable wake, ended;
    ThumbnailLoader* owner = nullptr; ///< null: it is gone, or going
    int running = 0;
    std::shared_ptr<const OpenedData> data;
    std::size_t set = 0;
    std::deque<std::int64_t> wanted;
    std::vector<std::int64_t> underWay;
    int side = 0, generation = 0;
    std::shared_ptr<ThumbnailCache> cache;
};

ThumbnailLoader::ThumbnailLoader(std::shared_ptr<ThumbnailCache> cache, QObject* parent)
    : QObject(parent), m_shared(std::make_shared<Shared>()), m_made(kMostKilobytes) {
    m_shared->owner = this;
    m_shared->cache = std::move(cache);
    const int threads = int(std::clamp(std::thread::hardware_concurrency() / 2, 1u, 4u)); // a training wants the rest
    m_shared->running = threads;
    for (int i = 0; i < threads; ++i) {
        std::thread thread(&ThumbnailLoader::work, m_shared);
        pthread_setname_np(thread.native_handle(), "thumbnails");
        thread.detach(); // the destructor waits for it
    }
}

ThumbnailLoader::~ThumbnailLoader() {
    std::unique_lock lock(m_shared->mutex);
    m_shared->owner = nullptr;
    m_shared->wake.notify_all();
    m_shared->ended.wait_for(lock, kPatience, [&] { return m_shared->running == 0; });
}

void ThumbnailLoader::setSource(std::shared_ptr<const OpenedData> data, std::size_t set) {
    m_made.clear();
    m_count = 0;
    m_side = 0;
    ++m_generation;
    const std::lock_guard lock(m_shared->mutex);
    m_shared->data = std::move(data);
    m_shared->set = set;
    m_shared->wanted.clear();
    m_shared->underWay.clear();
    m_shared->generation = m_generation;
}

void ThumbnailLoader::want(const std::vector<std::int64_t>& samples, int side) {
    const int kept = cachedSide(side);
    if (kept != m_side) { // what was made stays in sight until the sharper one is there
        m_side = kept;
        ++m_generation;
    }
    const std::lock_guard lock(m_shared->mutex);
    if (m_shared->generation != m_generation)
        m_shared->underWay.clear();
    m_shared->generation = m_generation;
    m_shared->side = kept;
    m_shared->wanted.clear();
    const auto isSharp = [&](std::int64_t sample) {
        const Thumbnail* made = m_made.object(sample);
        const auto sides = made ? made->picture.image.size() : QSize();
        return made && (!made->trouble.isEmpty() || std::max(sides.width(), sides.height()) >= kept ||
                        made->picture.size == QSizeF(sides));
    };
    for (const std::int64_t sample : samples)
        if (!isSharp(sample) &&
            std::find(m_shared->underWay.begin(), m_shared->underWay.end(), sample) == m_shared->underWay.end())
            m_shared->wanted.push_back(sample);
    m_shared->wake.notify_all();
}

void ThumbnailLoader::work(const std::shared_ptr<Shared>& shared) {
    std::unique_lock lock(shared->mutex);
    for (;;) {
        shared->wake.wait(lock, [&] { return !shared->owner || (shared->data && !shared->wanted.empty()); });
        if (!shared->owner)
            break;
        const std::int64_t sample = shared->wanted.front();
        shared->wanted.pop_front();
        shared->underWay.push_back(sample);
        const auto data = shared->data;
        const auto set = shared->set;
        const int side = shared->side, generation = shared->generation;
        const auto cache = shared->cache;
        lock.unlock();
        auto made = std::make_shared<const Thumbnail>(makeThumbnail(*data, set, sample, side, *cache));
        lock.lock();
        std::erase(shared->underWay, sample);
        if (shared->owner) // under the lock: it cannot go meanwhile
            QMetaObject::invokeMethod(
                shared->owner,
                [owner = shared->owner, generation, sample, made] { owner->take(generation, sample, made); },
                Qt::QueuedConnection);
    }
    --shared->running;
    shared->ended.notify_all();
}

void ThumbnailLoader::take(int generation, std::int64_t sample, std::shared_ptr<const Thumbnail> thumbnail) {
    if (generation != m_generation)
        return;
    ++m_count;
    m_made.insert(sample, new Thumbnail(*thumbnail), kilobytesOf(*thumbnail));
    if (!thumbnail->trouble.isEmpty())
        Q_EMIT damaged(sample, thumbnail->trouble);
    Q_EMIT ready(sample);
}

} // namespace trainyard
