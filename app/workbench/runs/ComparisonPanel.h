#pragma once

#include "app/workbench/runs/ComparisonModel.h"
#include "app/workbench/runs/LossParting.h"

#include <QJsonObject>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTabBar;

namespace trainyard {

class PlotBoard;
class QuietTable;

/// Ticked runs side by side: their curves over each other, what differs in their configurations, in machine and data,
/// and from which iteration on their losses do. UI thread only.
class ComparisonPanel final : public QWidget {
    Q_OBJECT
public:
    enum View { Curves, Configuration, Environment };

    /// Takes the board over.
    explicit ComparisonPanel(PlotBoard* board, QWidget* parent = nullptr);
    ~ComparisonPanel() override;

    /// `project` is where the runs' folders lie.
    void setRuns(const std::filesystem::path& project, const std::vector<ComparedRun>& runs);
    /// Metrics that can be drawn beside loss, rate and the rest.
    void setMetrics(const QStringList& metrics);
    /// Which series is drawn: its name; "metric" is the best metric of each run.
    QString series() const;
    QString seriesTitle() const;

    View view() const;
    void setView(View view);
    ComparisonModel* model(View view) const { return view == Configuration ? m_configuration : m_environment; }
    QString partingText() const;
    QCheckBox* showAll() const { return m_all; }

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void seriesChosen();

private:
    QuietTable* addTable(ComparisonModel* model, const QString& name);
    void showView();
    void lookForParting(const std::vector<std::filesystem::path>& folders);
    void tellParting(const LossParting& parting);

    QTabBar* m_tabs;
    QComboBox* m_series;
    QLabel* m_seriesLabel;
    QCheckBox* m_all;
    QLabel* m_parting;
    QLabel* m_nothing;
    QStackedWidget* m_stack;
    ComparisonModel* m_configuration;
    ComparisonModel* m_environment;
    std::vector<QuietTable*> m_tables;
    QStringList m_titles;
    std::vector<std::filesystem::path> m_compared;
    std::vector<std::int64_t> m_iterations; ///< of the runs when their losses were compared
    bool m_isRead = false;
    bool m_isLooking = false, m_hasParted = false;
    std::shared_ptr<std::atomic<bool>> m_isCancelled; ///< of the comparison that is under way
};

} // namespace trainyard
