#pragma once

#include "app/workbench/RunView.h"

#include <QStatusBar>

class QLabel;
class QLayout;

namespace trainyard {

/// The figures of the active run; each has a tip that says what it is and how it is computed. UI thread only.
class StatusLine final : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setState(const EngineState& engine, const std::optional<RunView>& view, const RunRecord* record);
    void setDevice(const QString& device);

private:
    QLabel* add(const QString& tip, QLayout* row); ///< at the right end where there is no row

    QLabel *m_loss, *m_rate, *m_speed, *m_wait, *m_queue, *m_memory, *m_device;
    double m_slowLoss = 0;
    std::int64_t m_lastIteration = 0, m_lastRun = 0;
};

} // namespace trainyard
