#pragma once

#include <QDockWidget>

#include <memory>

class QPlainTextEdit;

namespace trainyard {

/// What the programs' log says, newest at the bottom (Ctrl+L). Listens from its construction on. UI thread only.
class LogPanel final : public QDockWidget {
    Q_OBJECT
public:
    explicit LogPanel(QWidget* parent = nullptr);
    ~LogPanel() override;
    void addLine(const QString& line);
    QString text() const;

private:
    struct Listener;
    std::shared_ptr<Listener> m_listener;
    QPlainTextEdit* m_text;
};

} // namespace trainyard
