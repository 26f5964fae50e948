#include "app/workbench/MessageBar.h"

#include "widgets/theme/Icon.h"

#include <QAccessible>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPropertyAnimation>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kFadeMilliseconds = 160;

QString iconName(theme::Tone tone) {
    switch (tone) {
    case theme::Tone::Bad:
        return QStringLiteral("failed");
    case theme::Tone::Warning:
        return QStringLiteral("warning");
    case theme::Tone::Good:
        return QStringLiteral("done");
    default:
        return QStringLiteral("info");
    }
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_count(new QLabel(this)),
      m_button(new QPushButton(this)), m_close(new QToolButton(this)) {
    setAccessibleName(tr("Messages"));
    const int quarter = theme::quarter(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(3 * quarter, quarter, 2 * quarter, quarter);
    row->setSpacing(2 * quarter);
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setIcon(theme::icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Put this message away"));
    m_close->setAccessibleName(m_close->toolTip());
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_count);
    row->addWidget(m_button);
    row->addWidget(m_close);
    connect(m_button, &QPushButton::clicked, this, &MessageBar::act);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::putAway);
}

void MessageBar::post(const Message& message) {
    if (current() && current()->id == message.id && current()->text == message.text) {
        m_messages.back() = message;
        return;
    }
    std::erase_if(m_messages, [&](const Message& each) { return each.id == message.id; });
    m_messages.push_back(message);
    show(true);
}

void MessageBar::withdraw(const QString& id) {
    if (std::erase_if(m_messages, [&](const Message& each) { return each.id == id; }) > 0)
        show(false);
}

void MessageBar::act() {
    if (!current())
        return;
    const auto deed = current()->deed;
    putAway();
    if (deed)
        deed();
}

void MessageBar::putAway() {
    if (!m_messages.empty())
        m_messages.pop_back();
    show(false);
}

void MessageBar::show(bool isNew) {
    const Message* message = current();
    Q_EMIT shownChanged(message != nullptr);
    if (!message)
        return;
    const QColor colour = theme::toneColour(message->tone, palette());
    m_icon->setPixmap(theme::iconPixmap(iconName(message->tone), fontMetrics().height(), devicePixelRatioF(), colour));
    m_text->setText(message->text);
    m_button->setText(message->button);
    m_button->setVisible(!message->button.isEmpty());
    m_count->setText(tr("%n more", nullptr, count() - 1));
    m_count->setVisible(count() > 1);
    layout()->activate();
    fitHeight();
    update();
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    auto* effect = new QGraphicsOpacityEffect(this);
    setGraphicsEffect(effect); // deletes the one before
    auto* fade = new QPropertyAnimation(effect, "opacity", effect);
    fade->setDuration(kFadeMilliseconds);
    fade->setStartValue(0.0);
    fade->setEndValue(1.0);
    connect(fade, &QAbstractAnimation::finished, this, [this, effect] {
        if (graphicsEffect() == effect)
            setGraphicsEffect(nullptr);
    });
    fade->start();
}

/// A tool bar asks for no height by width: the bar takes what its sentence needs.
void MessageBar::fitHeight() {
    const int quarter = theme::quarter(this);
    const int wanted = m_text->heightForWidth(std::max(m_text->width(), fontMetrics().averageCharWidth() * 20));
    const int button = m_button->isVisibleTo(this) ? m_button->sizeHint().height() : m_close->sizeHint().height();
    setFixedHeight(std::max(wanted, button) + 2 * quarter);
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    fitHeight();
}

void MessageBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_close)
        show(false);
}

void MessageBar::paintEvent(QPaintEvent*) {
    if (!current())
        return;
    QPainter painter(this);
    QColor wash = theme::toneColour(current()->tone, palette());
    wash.setAlphaF(0.10);
    painter.fillRect(rect(), wash);
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace trainyard
