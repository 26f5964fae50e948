#include "app/workbench/monitor/SampleStrip.h"

#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kLines = 5; ///< of text that a thumbnail is high

} // namespace

SampleStrip::SampleStrip(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Samples of the newest evaluation"));
}

void SampleStrip::setPictures(std::shared_ptr<const SamplePictures> pictures) {
    m_pictures = std::move(pictures);
    choose(std::clamp(m_chosen, 0, std::max(0, count() - 1)));
    updateGeometry();
    update();
}

QSize SampleStrip::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().lineSpacing() * kLines + 4 * theme::quarter(this)};
}

QSize SampleStrip::minimumSizeHint() const {
    return {1, sizeHint().height()};
}

int SampleStrip::captionWidth() const {
    return fontMetrics().horizontalAdvance(tr("iteration")) + 6 * theme::quarter(this) +
           fontMetrics().horizontalAdvance(QStringLiteral("000"));
}

QRect SampleStrip::placeOf(int sample) const {
    if (!m_pictures)
        return {};
    const int quarter = theme::quarter(this), height = fontMetrics().lineSpacing() * kLines;
    int x = 4 * quarter + captionWidth();
    for (int at = 0; at < count(); ++at) {
        const QRect place = m_pictures->samples[std::size_t(at)].place;
        const double scale = std::min(1.0, double(height) / place.height());
        const QSize size(std::max(1, int(place.width() * scale)), std::max(1, int(place.height() * scale)));
        if (at == sample)
            return {QPoint(x, quarter * 2 + (height - size.height()) / 2), size};
        x += size.width() + 3 * quarter;
    }
    return {};
}

int SampleStrip::sampleAt(const QPoint& position) const {
    for (int at = 0; at < count(); ++at)
        if (placeOf(at).adjusted(-2, -2, 2, 2).contains(position))
            return at;
    return -1;
}

void SampleStrip::choose(int sample) {
    m_chosen = sample;
    if (m_pictures && sample < count())
        setAccessibleDescription(verdict(m_pictures->samples[std::size_t(sample)]));
    update();
}

void SampleStrip::paintEvent(QPaintEvent*) {
    if (!m_pictures)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int quarter = theme::quarter(this);
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(0, 0, width(), 0);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(palette().color(QPalette::Text));
    const QRect caption(4 * quarter, 2 * quarter, captionWidth(), height() - 4 * quarter);
    painter.drawText(caption, Qt::AlignLeft | Qt::AlignTop, tr("Samples"));
    painter.setFont(font());
    painter.setPen(theme::dimText(palette()));
    painter.drawText(caption.adjusted(0, fontMetrics().lineSpacing(), 0, 0), Qt::AlignLeft | Qt::AlignTop,
                     tr("iteration") + QLatin1Char('\n') + theme::countText(m_pictures->iteration));
    for (int at = 0; at < count(); ++at) {
        const QRect place = placeOf(at);
        if (place.right() > width() - quarter)
            break; // one that does not fit is seen in the large view
        painter.drawImage(place, m_pictures->sheet, m_pictures->samples[std::size_t(at)].place);
        const bool isMarked = at == m_chosen && hasFocus();
        painter.setPen(
            QPen(isMarked ? palette().color(QPalette::Highlight) : theme::hairline(palette()), isMarked ? 2 : 1));
        painter.drawRect(place.adjusted(-1, -1, 0, 0));
    }
}

void SampleStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left)
        choose(std::max(0, m_chosen - 1));
    else if (event->key() == Qt::Key_Right)
        choose(std::min(count() - 1, m_chosen + 1));
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) &&
             count() > 0)
        Q_EMIT opened(m_chosen);
    else
        QWidget::keyPressEvent(event);
}

void SampleStrip::mousePressEvent(QMouseEvent* event) {
    const int sample = sampleAt(event->pos());
    if (sample < 0 || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    choose(sample);
    Q_EMIT opened(sample);
}

bool SampleStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int sample = sampleAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       sample < 0 ? QString()
                                  : m_pictures->samples[std::size_t(sample)].name + QLatin1Char('\n') +
                                        verdict(m_pictures->samples[std::size_t(sample)]),
                       this);
    return true;
}

} // namespace trainyard
