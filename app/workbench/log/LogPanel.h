#pragma once

#include "app/workbench/engine/Engine.h"
#include "app/workbench/log/LogModel.h"

#include <QDockWidget>

#include <memory>

class QComboBox;
class QLineEdit;

namespace trainyard {

class QuietTable;

/// What the terminal would show of the shown run, and what the programs' log says (Ctrl+L): newest at the bottom,
/// filtered by words and kind, copied as text. Listens to the log from its construction on. UI thread only.
class LogPanel final : public QDockWidget {
    Q_OBJECT
public:
    explicit LogPanel(QWidget* parent = nullptr);
    ~LogPanel() override;

    /// The events of the shown run; null is no project.
    void setProject(const ProjectSnapshot* project);
    /// What this window's engine does before there are events: "Scanning cells".
    void setEngine(const EngineState& engine);

    LogModel* model() const { return m_model; }
    QuietTable* table() const { return m_table; }
    QLineEdit* search() const { return m_search; }
    /// The lines in sight, as they are copied.
    QString text() const;
    void find();

private:
    struct Listener;
    void take();
    void fitColumns();
    QWidget* makeHead();
    void copyAll();

    std::shared_ptr<Listener> m_listener;
    LogModel* m_model;
    LogFilter* m_filter;
    QuietTable* m_table;
    QLineEdit* m_search = nullptr;
    QComboBox* m_choice = nullptr;
    std::string m_phase;
    std::int64_t m_phaseRun = 0;
    bool m_hasFitted = false;
};

} // namespace trainyard
