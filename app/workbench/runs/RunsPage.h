#pragma once

#include "app/workbench/monitor/SeriesFollower.h"
#include "app/workbench/runs/RunsModel.h"

#include <QJsonObject>
#include <QWidget>

class QAction;
class QComboBox;
class QLineEdit;
class QSplitter;
class QStackedLayout;

namespace trainyard {

class Actions;
class EmptyState;
class PlotBoard;
class QuietTable;
class SeriesPlot;

/// Every run of the project in one table; ticked ones are drawn in the comparison beneath it. UI thread only.
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
    void editName();
    void find();
    void zoom(double factor); ///< of the comparison
    void showAll();

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void runChosen(qint64 run); ///< became the current one
    void runOpened(qint64 run); ///< Space, Return or a double click
    void renameAsked(qint64 run, const QString& name);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeHead();
    void requestComparison();
    void showComparison(const SeriesSnapshot& snapshot);

    RunsModel* m_model;
    RunsFilter* m_filter;
    QuietTable* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QLineEdit* m_search = nullptr;
    QComboBox* m_kind = nullptr;
    QComboBox* m_series = nullptr;
    QSplitter* m_splitter;
    PlotBoard* m_board;
    SeriesPlot* m_plot;
    SeriesFollower m_follower;
    std::filesystem::path m_folder;
    std::int64_t m_shownRun = 0;
    bool m_isSelecting = false;
    bool m_hasFitted = false;
};

} // namespace trainyard
