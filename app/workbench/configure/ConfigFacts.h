#pragma once

#include "app/workbench/configure/Forecast.h"
#include "core/config/ConfigFile.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace trainyard {

class SmallCurve;

/// The head of the Configure page: what will happen, in a line each for model, data, batch, schedule and what the run
/// needs. Shows values; UI thread only.
class ConfigFacts final : public QWidget {
    Q_OBJECT
public:
    explicit ConfigFacts(QWidget* parent = nullptr);
    void setConfig(const ParsedConfig& parsed);
    void setForecast(const Forecast& forecast);
    QString modelText() const;
    QString dataText() const;
    QString batchText() const;
    QString needsText() const;

Q_SIGNALS:
    void firstProblemAsked();
    void lookCancelled();
    void lookAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* addFact(QGridLayout* grid, int row, int column, const QString& name, const QString& tip);
    void show();
    void showData();
    void followTheme();

    ParsedConfig m_parsed;
    Forecast m_forecast;
    QList<QLabel*> m_names, m_facts;
    QLabel *m_model, *m_data, *m_batch, *m_schedule, *m_needs;
    SmallCurve* m_curve;
    QPushButton* m_problems;
    QToolButton *m_look, *m_dataProblems;
    QMenu* m_problemMenu;
};

} // namespace trainyard
