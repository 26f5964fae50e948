#pragma once

#include <QDockWidget>

class QComboBox;
class QTextBrowser;

namespace trainyard {

/// The help pages (Markdown) and the reference of every key, made from the schema, beside the page (F1). UI thread
/// only.
class HelpPanel final : public QDockWidget {
    Q_OBJECT
public:
    explicit HelpPanel(QWidget* parent = nullptr);
    /// "monitor", "reference#solve.base_lr".
    void open(const QString& page);
    static QString referenceMarkdown();
    QStringList pages() const;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* m_pages;
    QTextBrowser* m_text;
};

} // namespace trainyard
