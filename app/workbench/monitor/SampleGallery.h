#pragma once

#include "app/workbench/monitor/SamplePictures.h"

#include <QFutureWatcher>
#include <QObject>

#include <filesystem>
#include <memory>

namespace trainyard {

/// Reads the pictures of a run's evaluations in the background and hands over the newest, or the one that was asked
/// for. UI thread only.
class SampleGallery final : public QObject {
    Q_OBJECT
public:
    explicit SampleGallery(QObject* parent = nullptr);
    ~SampleGallery() override;

    void setFolder(const std::filesystem::path& runFolder); ///< empty: none
    void refresh();                                         ///< there may be newer ones
    /// Another evaluation than the newest; -1 the one before, 1 the one after. After the newest comes following it
    /// again.
    void step(int by);
    void follow(); ///< the newest again
    bool hasOlder() const;
    bool hasNewer() const;
    std::shared_ptr<const SamplePictures> pictures() const { return m_pictures; }

Q_SIGNALS:
    void changed();

private:
    struct Found;
    void read();

    std::filesystem::path m_folder;
    std::vector<std::int64_t> m_iterations;
    std::shared_ptr<const SamplePictures> m_pictures;
    std::optional<std::int64_t> m_wanted; ///< nothing: the newest
    QFutureWatcher<std::shared_ptr<Found>> m_watcher;
    bool m_isStale = false; ///< asked again while reading
};

} // namespace trainyard
