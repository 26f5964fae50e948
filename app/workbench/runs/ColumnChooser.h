#pragma once

#include <QDialog>
#include <QStringList>

class QLineEdit;
class QListWidget;

namespace trainyard {

/// Which metrics and keys of the configuration stand as columns of the runs. A tick applies at once; Escape leaves.
/// UI thread only.
class ColumnChooser final : public QDialog {
    Q_OBJECT
public:
    struct Choice {
        QString name, help;
        bool isMetric = false;
    };
    ColumnChooser(const std::vector<Choice>& choices, const QStringList& chosen, QWidget* parent = nullptr);

    QLineEdit* search() const { return m_search; }
    QListWidget* list() const { return m_list; }
    /// In the order in which they were chosen.
    const QStringList& chosen() const { return m_chosen; }

Q_SIGNALS:
    void chosenChanged(const QStringList& names);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);

    QLineEdit* m_search;
    QListWidget* m_list;
    QStringList m_chosen;
};

} // namespace trainyard
