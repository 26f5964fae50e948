#pragma once

#include "app/workbench/ProjectStore.h"
#include "app/workbench/checkpoints/CheckpointsModel.h"

#include <QJsonObject>
#include <QWidget>

#include <optional>

class QLabel;
class QStackedLayout;

namespace trainyard {

class Actions;
class CheckpointTimeline;
class EmptyState;
class QuietTable;

/// The shown run's checkpoints: a timeline with abandoned tails, a table below, the row's actions. UI thread only.
class CheckpointsPage final : public QWidget {
    Q_OBJECT
public:
    CheckpointsPage(const Actions& actions, QWidget* parent = nullptr);

    void setProject(const ProjectSnapshot* project);
    EmptyState* emptyState() const { return m_empty; }
    CheckpointsModel* model() const { return m_model; }
    QuietTable* table() const { return m_table; }
    std::vector<CheckpointRecord> selected() const;
    void select(std::int64_t id);

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void selectionChanged();

private:
    CheckpointsModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QuietTable* m_table;
    CheckpointTimeline* m_timeline;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    bool m_hasFitted = false;
};

} // namespace trainyard
