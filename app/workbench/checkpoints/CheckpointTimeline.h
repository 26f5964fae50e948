#pragma once

#include "core/project/Project.h"

#include <QWidget>

#include <vector>

namespace trainyard {

/// A run's checkpoints along its iterations: the current branch as a line, abandoned tails beneath it, the best
/// starred, pinned ones ringed. A click chooses one. UI thread only.
class CheckpointTimeline final : public QWidget {
    Q_OBJECT
public:
    explicit CheckpointTimeline(QWidget* parent = nullptr);
    void setCheckpoints(const std::vector<CheckpointRecord>& checkpoints, std::int64_t iteration,
                        std::int64_t iterations);
    void setChosen(std::int64_t id);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(qint64 id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF place(const CheckpointRecord& checkpoint) const;
    double xOf(std::int64_t iteration) const;
    const CheckpointRecord* at(const QPoint& position) const;

    std::vector<CheckpointRecord> m_checkpoints;
    std::int64_t m_iteration = 0, m_iterations = 0, m_chosen = 0;
};

} // namespace trainyard
