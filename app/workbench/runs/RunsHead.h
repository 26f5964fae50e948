#pragma once

#include "app/workbench/runs/RunsFilter.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace trainyard {

class RunsModel;

/// The line above the runs: what they are filtered by, and which columns they have. The menu beside the line writes
/// terms into it, so that one learns how they are written. UI thread only.
class RunsHead final : public QWidget {
    Q_OBJECT
public:
    RunsHead(RunsModel* model, RunsFilter* filter, QWidget* parent = nullptr);

    QLineEdit* search() const { return m_search; }
    QComboBox* kind() const { return m_kind; }
    void showCount(); ///< how many runs are seen, of how many
    QString problem() const;

Q_SIGNALS:
    void filterChanged();
    void columnsAsked();

private:
    void fillMenu();
    void addTerm(const QString& term);

    RunsModel* m_model;
    RunsFilter* m_filter;
    QLineEdit* m_search;
    QComboBox* m_kind;
    QLabel* m_count;
    QLabel* m_problem;
    QMenu* m_menu;
};

} // namespace trainyard
