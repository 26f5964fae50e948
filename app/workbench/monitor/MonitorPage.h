#pragma once

#include "app/workbench/RunView.h"
#include "app/workbench/monitor/SeriesFollower.h"
#include "widgets/plots/PlotCurve.h"

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QSlider;
class QStackedLayout;
class QToolButton;

namespace trainyard {

class EmptyState;
class PlotBoard;
class SeriesPlot;

/// The plots of one run, live, followed or of last year: the same for all. UI thread only.
class MonitorPage final : public QWidget {
    Q_OBJECT
public:
    explicit MonitorPage(QWidget* parent = nullptr);
    ~MonitorPage() override;

    /// The run to show; nothing shows the page's empty state.
    void setRun(std::int64_t run, const std::filesystem::path& folder);
    /// What the run is at, for the sentence shown while there are no points.
    void setRunView(const std::optional<RunView>& view);
    EmptyState* emptyState() const { return m_empty; }
    PlotBoard* board() const { return m_board; }
    void zoom(double factor);
    void showAll();

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void messageRaised(const QString& text);
    void settingsChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Group;
    void makePlots();
    QWidget* makeHead();
    void request();
    void show(const SeriesSnapshot& snapshot);
    void exportCsv(const Group& group, const QString& path);
    void updateHead();

    SeriesFollower m_follower;
    std::vector<Group> m_groups;
    PlotBoard* m_board;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingValue = nullptr;
    QLabel* m_cursor = nullptr;
    QLabel* m_range = nullptr;
    QToolButton* m_logIterations = nullptr;
    QToolButton* m_all = nullptr;
    std::int64_t m_run = 0;
    std::filesystem::path m_folder;
};

} // namespace trainyard
