#include "app/workbench/EmptyState.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_picture(new QLabel(this)), m_sentence(new QLabel(this)), m_hint(new QLabel(this)),
      m_buttons(new QHBoxLayout) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_sentence->setFont(large);
    const int quarter = theme::quarter(this);
    for (QLabel* label : {m_picture, m_sentence, m_hint}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(label != m_picture);
    }
    auto* column = new QVBoxLayout(this);
    column->setSpacing(3 * quarter);
    column->addStretch(2);
    column->addWidget(m_picture);
    column->addWidget(m_sentence);
    column->addWidget(m_hint);
    m_buttons->setSpacing(2 * quarter);
    column->addSpacing(quarter);
    column->addLayout(m_buttons);
    column->addStretch(3);
}

void EmptyState::setContent(const QString& icon, const QString& sentence, const QString& hint,
                            const QList<QAction*>& steps) {
    m_iconName = icon;
    m_sentence->setText(sentence);
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_buttons->addStretch(1);
    for (QAction* step : steps) {
        auto* button = new QPushButton(step->icon(), step->text(), this);
        button->setToolTip(step->toolTip());
        button->setEnabled(step->isEnabled());
        connect(button, &QPushButton::clicked, step, &QAction::trigger);
        connect(step, &QAction::changed, button, [button, step] { button->setEnabled(step->isEnabled()); });
        m_buttons->addWidget(button);
    }
    m_buttons->addStretch(1);
    paintPicture();
}

void EmptyState::setHint(const QString& hint) {
    m_hint->setText(hint);
    m_hint->show();
}

void EmptyState::paintPicture() {
    const QColor faint = theme::dimText(palette());
    theme::setInk(m_hint, faint);
    if (!m_iconName.isEmpty())
        m_picture->setPixmap(
            theme::iconPixmap(m_iconName, fontMetrics().lineSpacing() * 3, devicePixelRatioF(), faint));
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        paintPicture();
    QWidget::changeEvent(event);
}

} // namespace trainyard
