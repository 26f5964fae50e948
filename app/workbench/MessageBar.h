#pragma once

#include "widgets/theme/Theme.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace trainyard {

/// What the window has to say: trouble with its way out, or a deed that can be undone.
struct Message {
    QString id; ///< a newer message of the same id takes the place of the older
    theme::Tone tone = theme::Tone::Quiet;
    QString text;
    QString button; ///< a verb; empty is none
    std::function<void()> deed;
};

/// The newest message above the status bar, until it is solved or put away. UI thread only.
class MessageBar final : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void post(const Message& message);
    void withdraw(const QString& id);
    const Message* current() const { return m_messages.empty() ? nullptr : &m_messages.back(); }
    int count() const { return int(m_messages.size()); }
    void act();     ///< what the button does
    void putAway(); ///< what the cross does

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void shownChanged(bool isShown);

private:
    void show(bool isNew);
    void fitHeight();

    std::vector<Message> m_messages;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_button;
    QToolButton* m_close;
};

} // namespace trainyard
