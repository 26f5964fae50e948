#pragma once

#include "app/workbench/monitor/SeriesFollower.h"
#include "app/workbench/runs/ComparisonRows.h"
#include "app/workbench/runs/RunsFilter.h"
#include "app/workbench/runs/RunsModel.h"

#include <QJsonObject>
#include <QWidget>

#include <map>

class QAction;
class QSplitter;
class QStackedLayout;

namespace trainyard {

class Actions;
class ComparisonPanel;
class EmptyState;
class PlotBoard;
class QuietTable;
class RunsHead;
class SeriesPlot;

/// Every run of the project in one table; ticked ones are compared beneath it. What is stored of runs
/// beyond their rows is asked for by signal, when a column, a filter or the comparison needs it. UI thread only.
class RunsPage final : public QWidget {
    Q_OBJECT
public:
    RunsPage(const Actions& actions, QWidget* parent = nullptr);
    ~RunsPage() override;

    void setProject(const ProjectSnapshot* project, const EngineState& engine);
    void setShownRun(std::int64_t run);
    EmptyState* emptyState() const { return m_empty; }
    RunsModel* model() const { return m_model; }
    QuietTable* table() const { return m_table; }
    std::vector<std::int64_t> selected() const;
    /// Lets the cell of the current run be edited: name, tags, group or notes.
    void edit(RunsModel::Column column);
    void toggleCompared();
    void chooseColumns();
    /// What `provenanceAsked` asked for; configurations are read from it in the background.
    void setProvenance(const std::map<std::int64_t, RunProvenance>& provenance);
    bool showsDeleted() const { return m_filter->kind() == RunsFilter::Kind::Deleted; }
    RunsHead* head() const { return m_head; }
    RunsFilter* filter() const { return m_filter; }
    ComparisonPanel* comparison() const { return m_comparison; }
    void find();
    void zoom(double factor); ///< of the comparison
    void showAll();

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void runChosen(qint64 run); ///< became the current one
    void runOpened(qint64 run); ///< Space, Return or a double click
    void renameAsked(qint64 run, const QString& name);
    void textAsked(qint64 run, trainyard::RunsModel::Column column, const QString& text);
    void colourAsked(int colour); ///< for the selected runs
    void provenanceAsked(const std::vector<std::int64_t>& runs);
    void settingsChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectTable(const Actions& actions);
    void showMenu(const Actions& actions, const QPoint& position);
    std::vector<std::int64_t> compared() const;
    void needProvenance();
    void takeConfigurations(const RunValues::Configurations& read);
    void showDifferences();
    void requestComparison();
    void showComparison(const SeriesSnapshot& snapshot);

    RunsModel* m_model;
    RunsFilter* m_filter;
    QuietTable* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    RunsHead* m_head;
    QSplitter* m_splitter;
    PlotBoard* m_board;
    SeriesPlot* m_plot;
    ComparisonPanel* m_comparison;
    SeriesFollower m_follower;
    std::filesystem::path m_folder;
    std::map<std::int64_t, RunProvenance> m_provenance;
    RunValues::Configurations m_configurations;
    std::map<std::int64_t, std::int64_t> m_asked; ///< what was asked for, with the run's last change
    std::int64_t m_shownRun = 0;
    bool m_isSelecting = false;
    bool m_hasFitted = false;
};

} // namespace trainyard
