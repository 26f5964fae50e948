#pragma once

#include "core/project/Series.h"
#include "widgets/plots/PlotCurve.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QThread;

namespace trainyard {

/// What to follow: the series of some runs, in some stretch, in so many pixel columns.
struct SeriesRequest {
    struct Source {
        std::int64_t run = 0;
        std::filesystem::path folder; ///< of the run
        bool operator==(const Source&) const = default;
    };
    std::vector<Source> sources;
    std::vector<std::string> only; ///< names; empty is every series
    bool withUpdates = false;      ///< also "update_to_weight/…", made from the parameter statistics
    PlotView view;
    int columns = 600;
};

/// What was found, ready to draw. Immutable; any thread.
struct SeriesSnapshot {
    struct Series {
        std::string name;
        std::vector<SeriesBucket> buckets;
        std::vector<std::vector<SeriesPoint>> abandoned;
        SeriesPoint last;
    };
    struct Run {
        std::int64_t run = 0;
        std::vector<Series> series;
        std::vector<SeriesSession> sessions;
        std::string trouble; ///< why its points cannot be read
    };
    std::vector<Run> runs;
    std::int64_t last = 0; ///< furthest iteration of all, abandoned tails included
};

/// Follows the points of runs that anyone writes, or no one any more, on a thread of its own: asks a few times a second
/// whether there is news and reads only what the plots can show. UI thread only.
class SeriesFollower final : public QObject {
    Q_OBJECT
public:
    explicit SeriesFollower(QObject* parent = nullptr);
    ~SeriesFollower() override;

    void setRequest(const SeriesRequest& request);
    /// While nobody looks, nothing is read.
    void setActive(bool isActive);
    /// Writes every point of the named series in [from, to] as "iteration,NAME,…"; `done` gets the error or an empty
    /// text.
    void exportCsv(const std::string& path, const std::vector<std::string>& names, std::int64_t from, std::int64_t to,
                   std::function<void(QString)> done);

Q_SIGNALS:
    void updated(std::shared_ptr<const trainyard::SeriesSnapshot> snapshot);

private:
    class Worker;
    QThread* m_thread;
    Worker* m_worker;
};

} // namespace trainyard
