#pragma once

#include "app/workbench/RunView.h"

#include <QToolBar>

class QComboBox;
class QLabel;
class QProgressBar;

namespace trainyard {

class Actions;

/// The one place that starts and stops work: its buttons, the run they act on, and what that run is at as icon, word
/// and colour. UI thread only.
class CommandBar final : public QToolBar {
    Q_OBJECT
public:
    CommandBar(const Actions& actions, QWidget* parent);
    void setRuns(const std::vector<RunRecord>& runs, std::int64_t shown);
    void setView(const std::optional<RunView>& view);

Q_SIGNALS:
    void runChosen(qint64 run);

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintState();

    QComboBox* m_runs;
    QLabel* m_icon;
    QLabel* m_word;
    QLabel* m_text;
    QProgressBar* m_progress;
    std::optional<RunView> m_view;
};

} // namespace trainyard
