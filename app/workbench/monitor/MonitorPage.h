#pragma once

#include "app/workbench/RunView.h"
#include "app/workbench/monitor/SeriesFollower.h"
#include "widgets/plots/PlotCurve.h"

#include <QJsonObject>
#include <QWidget>

class QStackedLayout;

namespace trainyard {

class EmptyState;
class MonitorHead;
class PlotBoard;
class SampleGallery;
class SampleStrip;
class SampleViewer;
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
    SampleStrip* samples() const { return m_strip; }
    SampleViewer* viewer() const { return m_viewer; }
    /// How many evaluations the shown run has had: with a new one come pictures.
    void setEvaluations(std::size_t count);
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
    QWidget* makePlotsPage();
    void connectSamples();
    void showSamples();
    void request();
    void show(const SeriesSnapshot& snapshot);
    void exportCsv(const Group& group, const QString& path);
    void updateHead();

    SeriesFollower m_follower;
    std::vector<Group> m_groups;
    PlotBoard* m_board;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    MonitorHead* m_head;
    SampleGallery* m_gallery;
    SampleStrip* m_strip;
    SampleViewer* m_viewer;
    std::int64_t m_run = 0;
    std::size_t m_evaluations = 0;
    QString m_trouble; ///< why the points cannot be read
    std::filesystem::path m_folder;
};

} // namespace trainyard
