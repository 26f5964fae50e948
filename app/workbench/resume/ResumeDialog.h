#pragma once

#include "app/workbench/resume/ResumePlan.h"
#include "core/project/Project.h"

#include <QDialog>

#include <optional>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace trainyard {

class SmallCurve;

/// Before a run goes on longer than planned or with other values: what differs, what of it applies, and the learning
/// rate before and after. Shows values, changes nothing. UI thread only.
class ResumeDialog final : public QDialog {
    Q_OBJECT
public:
    /// `wanted` is the configuration of the Configure page, if it is one that could be started.
    ResumeDialog(const RunRecord& run, const RunConfig& stored, const std::optional<RunConfig>& wanted,
                 QWidget* parent = nullptr);

    ResumeChoice choice() const;
    QSpinBox* further() const { return m_further; }
    QCheckBox* takeChanges() const { return m_takeChanges; }
    QCheckBox* acceptChanges() const { return m_acceptChanges; }
    QTableWidget* table() const { return m_table; }
    QPushButton* go() const { return m_go; }
    QString rateText() const;

Q_SIGNALS:
    void decided(const trainyard::ResumeChoice& choice);

private:
    void makeTable();
    void showPlan();
    std::vector<ResumeChange> taken() const;

    const RunRecord m_run;
    const RunConfig m_stored;
    const std::vector<ResumeChange> m_changes;
    QSpinBox* m_further;
    QCheckBox* m_takeChanges;
    QCheckBox* m_acceptChanges;
    QTableWidget* m_table;
    QLabel *m_plan, *m_rate;
    SmallCurve* m_curve;
    QPushButton* m_go;
};

} // namespace trainyard
