#pragma once

#include "app/workbench/data/ThumbnailCache.h"
#include "app/workbench/engine/OpenedData.h"
#include "widgets/pictures/AnnotatedPicture.h"

#include <QCache>
#include <QObject>

#include <memory>
#include <vector>

namespace trainyard {

/// A sample small, or the sentence that says why it cannot be shown.
struct Thumbnail {
    AnnotatedPicture picture;
    QString trouble;
};

/// Makes thumbnails of what is in sight, on threads of its own: first those asked for last. What was scrolled away
/// before its turn is never decoded. Keeps a bounded number in memory and, through the cache, on disk. UI thread only.
class ThumbnailLoader final : public QObject {
    Q_OBJECT
public:
    explicit ThumbnailLoader(std::shared_ptr<ThumbnailCache> cache, QObject* parent = nullptr);
    ~ThumbnailLoader() override; ///< a read that hangs (a folder that is gone) is left behind

    /// Forgets everything of the set before. Null: none.
    void setSource(std::shared_ptr<const OpenedData> data, std::size_t set);
    /// These, in this order, `side` pixels of the screen at most; replaces what was wanted before.
    void want(const std::vector<std::int64_t>& samples, int side);
    /// Null until it is made. Valid until the next call.
    const Thumbnail* find(std::int64_t sample) const { return m_made.object(sample); }
    std::int64_t made() const { return m_count; } ///< since the source was set

Q_SIGNALS:
    void ready(qint64 sample);
    void damaged(qint64 sample, const QString& sentence);

private:
    struct Shared;
    static void work(const std::shared_ptr<Shared>& shared);
    void take(int generation, std::int64_t sample, std::shared_ptr<const Thumbnail> thumbnail);

    std::shared_ptr<Shared> m_shared;
    QCache<std::int64_t, Thumbnail> m_made; ///< cost: kilobytes
    std::int64_t m_count = 0;
    int m_side = 0, m_generation = 0;
};

} // namespace trainyard
