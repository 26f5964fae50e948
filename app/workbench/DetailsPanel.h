#pragma once

#include "app/workbench/ProjectStore.h"

#include <QDockWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTextBrowser;

namespace trainyard {

/// The shown run in depth (F9): tags and notes to edit, provenance, history. UI thread only.
class DetailsPanel final : public QDockWidget {
    Q_OBJECT
public:
    explicit DetailsPanel(QWidget* parent = nullptr);
    void setProject(std::shared_ptr<const ProjectSnapshot> project);

Q_SIGNALS:
    void tagsEdited(qint64 run, const QStringList& tags);
    void notesEdited(qint64 run, const QString& notes);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();

    std::shared_ptr<const ProjectSnapshot> m_project;
    QLabel* m_title;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
    QTextBrowser* m_text;
    std::int64_t m_run = 0;
    QString m_html;
};

} // namespace trainyard
