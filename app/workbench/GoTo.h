#pragma once

#include <QDialog>
#include <QIcon>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace trainyard {

/// Something that go-to-anything can go to.
struct Destination {
    QString text, hint;
    QIcon icon;
    std::function<void()> go;
};

/// A line to type into and what fits beneath it (Ctrl+K): pages, runs, keys, actions. UI thread only.
class GoTo final : public QDialog {
    Q_OBJECT
public:
    GoTo(std::vector<Destination> destinations, QWidget* parent);
    QLineEdit* line() const { return m_line; }
    QListWidget* list() const { return m_list; }
    /// How well `text` fits what was typed: negative is not at all, higher is better.
    static int fit(const QString& text, const QString& typed);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void choose();

    std::vector<Destination> m_destinations;
    QLineEdit* m_line;
    QListWidget* m_list;
};

} // namespace trainyard
