#include "app/workbench/monitor/SampleViewer.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {
namespace {

constexpr double kLargest = 6; ///< times the picture's own size: beyond that there is nothing more to see

} // namespace

SampleViewer::SampleViewer(QWidget* parent) : QWidget(parent), m_title(new QLabel(this)), m_verdict(new QLabel(this)) {
    setFocusPolicy(Qt::StrongFocus);
    const int quarter = theme::quarter(this);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * quarter);
    m_back = addButton(tr("Back to the Plots"), QStringLiteral("undo"), tr("Back to the plots (Escape)"));
    m_previous = addButton(tr("Previous"), {}, tr("The sample before (Left)"));
    m_next = addButton(tr("Next"), {}, tr("The sample after (Right)"));
    m_older = addButton(tr("Older"), {}, tr("The evaluation before (Up)"));
    m_newer = addButton(tr("Newer"), {}, tr("The evaluation after (Down)"));
    head->addWidget(m_back);
    head->addSpacing(2 * quarter);
    head->addWidget(m_title);
    head->addStretch(1);
    for (QToolButton* button : {m_previous, m_next, m_older, m_newer})
        head->addWidget(button);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setAlignment(Qt::AlignCenter);
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_verdict->setFont(large);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4 * quarter, 2 * quarter, 4 * quarter, 4 * quarter);
    column->addLayout(head);
    column->addStretch(1);
    column->addWidget(m_verdict);
    connect(m_back, &QToolButton::clicked, this, &SampleViewer::closed);
    connect(m_previous, &QToolButton::clicked, this, [this] { showSample(m_sample - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { showSample(m_sample + 1); });
    connect(m_older, &QToolButton::clicked, this, [this] { Q_EMIT evaluationAsked(-1); });
    connect(m_newer, &QToolButton::clicked, this, [this] { Q_EMIT evaluationAsked(1); });
}

QToolButton* SampleViewer::addButton(const QString& text, const QString& icon, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    if (!icon.isEmpty()) {
        button->setIcon(theme::icon(icon));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    return button;
}

void SampleViewer::setPictures(std::shared_ptr<const SamplePictures> pictures, bool hasOlder, bool hasNewer) {
    m_pictures = std::move(pictures);
    m_older->setEnabled(hasOlder);
    m_newer->setEnabled(hasNewer);
    showSample(m_sample);
}

void SampleViewer::showSample(int sample) {
    const int count = m_pictures ? int(m_pictures->samples.size()) : 0;
    m_sample = std::clamp(sample, 0, std::max(0, count - 1));
    m_previous->setEnabled(m_sample > 0);
    m_next->setEnabled(m_sample + 1 < count);
    showCurrent();
}

void SampleViewer::showCurrent() {
    if (!m_pictures)
        return;
    const auto& sample = m_pictures->samples[std::size_t(m_sample)];
    m_title->setText(tr("Iteration %1 · sample %2 of %3")
                         .arg(theme::countText(m_pictures->iteration))
                         .arg(m_sample + 1)
                         .arg(m_pictures->samples.size()));
    m_verdict->setText(sample.name.isEmpty() ? verdict(sample) : sample.name + QStringLiteral("\n") + verdict(sample));
    theme::setInk(m_verdict,
                  sample.isRight ? palette().color(QPalette::Text) : theme::toneColour(theme::Tone::Bad, palette()));
    setAccessibleName(m_verdict->text());
    update();
}

void SampleViewer::paintEvent(QPaintEvent*) {
    if (!m_pictures)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int quarter = theme::quarter(this);
    const QRect room(4 * quarter, m_back->geometry().bottom() + 4 * quarter, width() - 8 * quarter,
                     m_verdict->y() - m_back->geometry().bottom() - 8 * quarter);
    const QRect source = m_pictures->samples[std::size_t(m_sample)].place;
    if (room.isEmpty())
        return;
    const double scale =
        std::min({double(room.width()) / source.width(), double(room.height()) / source.height(), kLargest});
    QRect target(0, 0, int(source.width() * scale), int(source.height() * scale));
    target.moveCenter(room.center());
    painter.drawImage(target, m_pictures->sheet, source);
    painter.setPen(theme::hairline(palette()));
    painter.drawRect(target.adjusted(-1, -1, 0, 0));
}

void SampleViewer::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return showSample(m_sample - 1);
    case Qt::Key_Right:
        return showSample(m_sample + 1);
    case Qt::Key_Up:
        if (m_older->isEnabled())
            Q_EMIT evaluationAsked(-1);
        return;
    case Qt::Key_Down:
        if (m_newer->isEnabled())
            Q_EMIT evaluationAsked(1);
        return;
    case Qt::Key_Escape:
        Q_EMIT closed();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SampleViewer::mouseDoubleClickEvent(QMouseEvent*) {
    Q_EMIT closed();
}

} // namespace trainyard
