#pragma once

#include <QWidget>

class QLabel;
class QHBoxLayout;

namespace trainyard {

/// A page that has nothing to show yet: a picture, a sentence, and the next step as a button. UI thread only.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setContent(const QString& icon, const QString& sentence, const QString& hint, const QList<QAction*>& steps);
    void setHint(const QString& hint); ///< alone, where it counts on

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintPicture();

    QString m_iconName;
    QLabel* m_picture;
    QLabel* m_sentence;
    QLabel* m_hint;
    QHBoxLayout* m_buttons;
};

} // namespace trainyard
