#pragma once

#include <QAbstractButton>
#include <QToolBar>

#include <vector>

namespace trainyard {

/// A page's button: icon above word, an accent line where the page is open, a dot when something there wants attention.
class RailButton final : public QAbstractButton {
    Q_OBJECT
public:
    RailButton(QAction* action, QWidget* parent);
    void setAttention(bool wants);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool m_wantsAttention = false;
};

/// The pages, at the left of the window. UI thread only.
class Rail final : public QToolBar {
    Q_OBJECT
public:
    Rail(const std::vector<QAction*>& pages, QWidget* parent);
    void setAttention(int page, bool wants);

private:
    std::vector<RailButton*> m_buttons;
};

} // namespace trainyard
