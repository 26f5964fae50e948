#include "app/workbench/Rail.h"

#include "widgets/theme/Icon.h"

#include <QAction>
#include <QPainter>

namespace trainyard {

RailButton::RailButton(QAction* action, QWidget* parent) : QAbstractButton(parent) {
    setText(action->text());
    setIcon(action->icon());
    setToolTip(action->toolTip());
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setChecked(action->isChecked());
    connect(action, &QAction::toggled, this, &QAbstractButton::setChecked);
    connect(this, &QAbstractButton::clicked, action, [this, action] {
        action->trigger();
        setChecked(action->isChecked());
    });
}

void RailButton::setAttention(bool wants) {
    m_wantsAttention = wants;
    setAccessibleDescription(wants ? tr("Something here wants attention") : QString());
    update();
}

QSize RailButton::sizeHint() const {
    const int quarter = theme::quarter(this);
    return {fontMetrics().horizontalAdvance(QStringLiteral("Checkpoints")) + 6 * quarter,
            fontMetrics().lineSpacing() + 5 * quarter + 6 * quarter};
}

void RailButton::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void RailButton::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void RailButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int quarter = theme::quarter(this);
    QColor wash = palette().color(QPalette::Text);
    wash.setAlphaF(isChecked() ? 0.08 : underMouse() || hasFocus() ? 0.05 : 0);
    painter.fillRect(rect(), wash);
    const QColor accent = palette().color(QPalette::Highlight);
    if (isChecked())
        painter.fillRect(QRect(0, 0, 3, height()), accent);
    const int size = 5 * quarter;
    const QRect picture((width() - size) / 2, 2 * quarter, size, size);
    const QColor ink = isChecked() ? palette().color(QPalette::Text) : theme::dimText(palette());
    icon().paint(&painter, picture);
    painter.setPen(ink);
    painter.drawText(QRect(0, picture.bottom() + quarter, width(), fontMetrics().height()), Qt::AlignCenter, text());
    if (m_wantsAttention) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme::toneColour(theme::Tone::Warning, palette()));
        painter.drawEllipse(QPointF(picture.right() + 1.5 * quarter, picture.top() + quarter), quarter * 0.8,
                            quarter * 0.8);
    }
}

Rail::Rail(const std::vector<QAction*>& pages, QWidget* parent) : QToolBar(tr("Pages"), parent) {
    setObjectName(QStringLiteral("rail"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setOrientation(Qt::Vertical);
    for (QAction* page : pages) {
        auto* button = new RailButton(page, this);
        m_buttons.push_back(button);
        addWidget(button);
    }
}

void Rail::setAttention(int page, bool wants) {
    m_buttons[std::size_t(page)]->setAttention(wants);
}

} // namespace trainyard
