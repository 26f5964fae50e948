#include "app/workbench/monitor/SampleGallery.h"

#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {

struct SampleGallery::Found {
    std::filesystem::path folder;
    std::vector<std::int64_t> iterations;
    std::shared_ptr<const SamplePictures> pictures;
};

SampleGallery::SampleGallery(QObject* parent) : QObject(parent) {
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        const auto found = m_watcher.result();
        if (std::exchange(m_isStale, false))
            read();
        if (found->folder != m_folder)
            return;
        m_iterations = found->iterations;
        m_pictures = found->pictures;
        Q_EMIT changed();
    });
}

SampleGallery::~SampleGallery() {
    m_watcher.waitForFinished();
}

void SampleGallery::setFolder(const std::filesystem::path& runFolder) {
    if (runFolder == m_folder)
        return;
    m_folder = runFolder;
    m_wanted.reset();
    m_iterations.clear();
    m_pictures.reset();
    Q_EMIT changed();
    read();
}

void SampleGallery::refresh() {
    read();
}

void SampleGallery::read() {
    if (m_folder.empty())
        return;
    if (m_watcher.isRunning()) {
        m_isStale = true;
        return;
    }
    m_watcher.setFuture(QtConcurrent::run([folder = m_folder, wanted = m_wanted, shown = m_pictures] {
        auto found = std::make_shared<Found>();
        found->folder = folder;
        found->iterations = pictureIterations(folder);
        // one that is just being written, or damaged: the one before it
        for (auto at = found->iterations.rbegin(); at != found->iterations.rend() && !found->pictures; ++at) {
            if (wanted && *at > *wanted)
                continue;
            if (shown && shown->iteration == *at)
                found->pictures = shown;
            else if (auto pictures = readPictures(folder, *at))
                found->pictures = std::make_shared<const SamplePictures>(std::move(*pictures));
        }
        return found;
    }));
}

bool SampleGallery::hasOlder() const {
    return m_pictures && !m_iterations.empty() && m_iterations.front() < m_pictures->iteration;
}

bool SampleGallery::hasNewer() const {
    return m_pictures && !m_iterations.empty() && m_iterations.back() > m_pictures->iteration;
}

void SampleGallery::step(int by) {
    if (!m_pictures)
        return;
    const auto at = std::lower_bound(m_iterations.begin(), m_iterations.end(), m_pictures->iteration);
    const auto next =
        std::clamp<std::ptrdiff_t>(at - m_iterations.begin() + by, 0, std::ptrdiff_t(m_iterations.size()) - 1);
    m_wanted = m_iterations[std::size_t(next)];
    read();
}

void SampleGallery::follow() {
    if (m_wanted) {
        m_wanted.reset();
        read();
    }
}

} // namespace trainyard
