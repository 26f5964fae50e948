#include "app/workbench/data/ThumbnailCache.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QImageWriter>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>
#include <vector>

namespace trainyard {
namespace {

constexpr int kQuality = 85;
constexpr std::int64_t kShareBetweenLooks = 16; ///< the folder is measured again after this part of its bound
constexpr int kDaysBetweenMarks = 1;            ///< how exactly the last use is known
const QString kSizeText = QStringLiteral("PictureSize");

} // namespace

ThumbnailCache::ThumbnailCache(QString folder, std::int64_t mostBytes)
    : m_folder(std::move(folder)), m_mostBytes(mostBytes) {}

QString ThumbnailCache::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/trainyard/thumbnails");
}

QString ThumbnailCache::fileOf(const std::string& key, int side) const {
    const QByteArray name = QCryptographicHash::hash(QByteArray::fromStdString(key) + '\n' + QByteArray::number(side),
                                                     QCryptographicHash::Sha1)
                                .toHex();
    return QStringLiteral("%1/%2/%3.jpg")
        .arg(m_folder, QString::fromLatin1(name.left(2)), QString::fromLatin1(name.mid(2)));
}

ThumbnailCache::Entry ThumbnailCache::find(const std::string& key, int side) const {
    const QString path = fileOf(key, side);
    QImageReader reader(path, "jpg");
    const QStringList sides = reader.text(kSizeText).split(QLatin1Char('x'));
    Entry entry;
    if (sides.size() != 2 || !reader.read(&entry.image))
        return {};
    entry.size = {sides[0].toInt(), sides[1].toInt()};
    if (entry.size.isEmpty())
        return {};
    QFile file(path);
    const QDateTime now = QDateTime::currentDateTime();
    if (QFileInfo(path).lastModified().daysTo(now) >= kDaysBetweenMarks && file.open(QIODevice::ReadWrite))
        file.setFileTime(now, QFileDevice::FileModificationTime);
    return entry;
}

void ThumbnailCache::store(const std::string& key, int side, const Entry& entry) {
    const QString path = fileOf(key, side);
    if (!QDir().mkpath(QFileInfo(path).path()))
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return;
    QImageWriter writer(&file, "jpg");
    writer.setQuality(kQuality);
    writer.setText(kSizeText, QStringLiteral("%1x%2").arg(entry.size.width()).arg(entry.size.height()));
    if (!writer.write(entry.image))
        return; // what was not committed is gone
    const std::int64_t bytes = file.size();
    if (!file.commit())
        return;
    const std::lock_guard lock(m_mutex);
    const bool isUnknown = m_written < 0;
    m_written = std::max<std::int64_t>(0, m_written) + bytes;
    if (isUnknown || m_written > m_mostBytes / kShareBetweenLooks)
        makeRoom();
}

void ThumbnailCache::makeRoom() {
    struct Kept {
        QString path;
        std::int64_t bytes;
        QDateTime used;
    };
    std::vector<Kept> files;
    std::int64_t total = 0;
    QDirIterator walk(m_folder, {QStringLiteral("*.jpg")}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        walk.next();
        files.push_back({walk.filePath(), walk.fileInfo().size(), walk.fileInfo().lastModified()});
        total += files.back().bytes;
    }
    m_written = 0;
    const std::int64_t allowed = m_mostBytes - m_mostBytes / kShareBetweenLooks; // what is written until the next look
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& file : files) {
        if (total <= allowed)
            return;
        if (QFile::remove(file.path))
            total -= file.bytes;
    }
}

} // namespace trainyard
