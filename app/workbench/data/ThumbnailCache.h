#pragma once

#include <QImage>
#include <QString>

#include <cstdint>
#include <mutex>
#include <string>

namespace trainyard {

/// Small pictures on disk, in a folder of ours (the user's cache folder), never beside the user's data. Holds at most
/// `mostBytes`: the ones used longest ago go first. What cannot be written is not kept; nothing fails. Any thread,
/// several programs at once.
class ThumbnailCache {
public:
    struct Entry {
        QImage image;
        QSize size; ///< of the picture itself
        bool isNull() const { return image.isNull(); }
    };
    static constexpr std::int64_t kMostBytes = 512'000'000;

    explicit ThumbnailCache(QString folder = defaultFolder(), std::int64_t mostBytes = kMostBytes);
    static QString defaultFolder();

    Entry find(const std::string& key, int side) const;
    void store(const std::string& key, int side, const Entry& entry);
    QString folder() const { return m_folder; }

private:
    QString fileOf(const std::string& key, int side) const;
    void makeRoom();

    QString m_folder;
    std::int64_t m_mostBytes;
    std::mutex m_mutex;          ///< guards what follows
    std::int64_t m_written = -1; ///< bytes since the folder was measured; negative: never
};

} // namespace trainyard
