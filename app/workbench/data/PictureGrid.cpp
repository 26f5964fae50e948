#include "app/workbench/data/PictureGrid.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kAfterTheLastScroll = 25;                            // milliseconds: what rushes past is not decoded
constexpr int kLinesHigh[PictureGrid::kSizes] = {4, 6, 9, 13, 19}; // of text
constexpr double kPictureAspect = 1.2, kWordAspect = 3.2;

/// Paints a cell: the picture with its annotations, its name beneath, a sign where something is wrong with it.
class CellDelegate final : public QStyledItemDelegate {
public:
    CellDelegate(const PictureModel& model, const PictureGrid& grid, QObject* parent)
        : QStyledItemDelegate(parent), m_model(model), m_grid(grid) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return m_grid.gridSize(); }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const int quarter = theme::quarter(&m_grid);
        const QRect cell = option.rect.adjusted(quarter / 2, quarter / 2, -quarter / 2, -quarter / 2);
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(cell, option.palette.color(QPalette::Highlight));
        const QSize room = m_grid.pictureRoom();
        const QRect place(cell.left() + (cell.width() - room.width()) / 2, cell.top() + quarter, room.width(),
                          room.height());
        paintPicture(*painter, place, option, index.row());
        paintCaption(*painter, place, option, index);
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(m_grid.palette().color(QPalette::Text), 1, Qt::DotLine));
            painter->drawRect(cell.adjusted(0, 0, -1, -1));
        }
        painter->restore();
    }

private:
    void paintPicture(QPainter& painter, const QRect& place, const QStyleOptionViewItem& option, int row) const {
        const Thumbnail* thumbnail = m_model.thumbnail(row);
        if (!thumbnail || thumbnail->picture.isNull()) {
            painter.fillRect(place, theme::hairline(option.palette));
            if (thumbnail) {
                const int side = option.fontMetrics.lineSpacing() * 2;
                const QRect sign(place.center() - QPoint(side / 2, side / 2), QSize(side, side));
                theme::icon(QStringLiteral("failed"), theme::Tone::Bad).paint(&painter, sign);
            }
            return;
        }
        const QSizeF size = thumbnail->picture.size;
        constexpr double kMostTimes = 4; // its own size
        const double scale =
            std::min({double(place.width()) / size.width(), double(place.height()) / size.height(), kMostTimes});
        QRectF target(QPointF(), size * scale);
        target.moveCenter(QRectF(place).center());
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(target, thumbnail->picture.image);
        AnnotationLayers layers = m_grid.layers();
        layers.names = false; // no room
        paintAnnotations(painter, target, thumbnail->picture, m_grid.classes(), layers);
    }

    void paintCaption(QPainter& painter, const QRect& place, const QStyleOptionViewItem& option,
                      const QModelIndex& index) const {
        const int quarter = theme::quarter(&m_grid);
        QRect line(place.left(), place.bottom() + quarter, place.width(), option.fontMetrics.lineSpacing());
        if (index.data(PictureModel::TroubledRole).toBool()) {
            const int side = option.fontMetrics.height() - 2;
            theme::icon(QStringLiteral("warning"), theme::Tone::Warning)
                .paint(&painter, QRect(line.left(), line.top() + 1, side, side));
            line.setLeft(line.left() + side + quarter);
        }
        painter.setPen(option.palette.color(QPalette::Text));
        painter.drawText(line, Qt::AlignCenter,
                         option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, line.width()));
    }

    const PictureModel& m_model;
    const PictureGrid& m_grid;
};

} // namespace

PictureGrid::PictureGrid(PictureModel& model, ThumbnailLoader& loader, QWidget* parent)
    : QListView(parent), m_model(model), m_loader(loader) {
    setModel(&model);
    setItemDelegate(new CellDelegate(model, *this, this));
    setAccessibleName(tr("Pictures"));
    setFrameShape(QFrame::NoFrame);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setUniformItemSizes(true);
    setResizeMode(QListView::Adjust);
    setMovement(QListView::Static);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // its coming and going would lay everything out twice
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    theme::tintSelection(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kAfterTheLastScroll);
    connect(&m_soon, &QTimer::timeout, this, &PictureGrid::wantWhatIsInSight);
    connect(&model, &QAbstractItemModel::modelReset, &m_soon, qOverload<>(&QTimer::start));
    // not by dataChanged, upon which a list view lays out every row anew
    connect(&loader, &ThumbnailLoader::ready, this, [this](qint64 sample) {
        const int row = m_model.rowOf(sample);
        if (row >= 0)
            update(m_model.index(row));
    });
    connect(this, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT opened(index.data(PictureModel::SampleRole).toLongLong()); });
    layOut();
}

QSize PictureGrid::pictureRoom() const {
    const int lines = kLinesHigh[m_step];
    const int height = fontMetrics().lineSpacing() * (m_areWords ? (lines + 1) / 2 : lines);
    return {int(height * (m_areWords ? kWordAspect : kPictureAspect)), height};
}

void PictureGrid::layOut() {
    const int quarter = theme::quarter(this);
    const QSize cell = pictureRoom() + QSize(3 * quarter, fontMetrics().lineSpacing() + 4 * quarter);
    const int room = std::max(1, viewport()->width() - 1);
    const int columns = std::max(1, room / cell.width());
    setGridSize({room / columns, cell.height()}); // what is left over is spread
    verticalScrollBar()->setSingleStep(cell.height() / 3);
    m_soon.start();
}

void PictureGrid::setLayers(const AnnotationLayers& layers) {
    m_layers = layers;
    viewport()->update();
}

void PictureGrid::setLines(bool areWords) {
    if (m_areWords == areWords)
        return;
    m_areWords = areWords;
    layOut();
}

void PictureGrid::setSizeStep(int step) {
    const int wanted = std::clamp(step, 0, kSizes - 1);
    if (wanted == m_step)
        return;
    m_step = wanted;
    const QModelIndex kept = currentIndex();
    layOut();
    if (kept.isValid())
        scrollTo(kept);
    Q_EMIT sizeStepChanged();
}

void PictureGrid::showSample(std::int64_t sample) {
    const int row = m_model.rowOf(sample);
    if (row < 0)
        return;
    setCurrentIndex(m_model.index(row));
    scrollTo(m_model.index(row));
}

std::pair<int, int> PictureGrid::rowsInSight() const {
    const QSize cell = gridSize();
    const int columns = std::max(1, (viewport()->width() - 1) / std::max(1, cell.width()));
    const int top = verticalScrollBar()->value() / cell.height();
    const int bottom = (verticalScrollBar()->value() + viewport()->height()) / cell.height();
    return {top * columns, std::min(m_model.rowCount(), (bottom + 1) * columns) - 1};
}

void PictureGrid::wantWhatIsInSight() {
    if (!isVisible())
        return;
    const auto [first, last] = rowsInSight();
    std::vector<std::int64_t> samples;
    for (int row = first; row <= last; ++row)
        samples.push_back(m_model.sampleAt(row));
    const int around = last - first + 1; // then what comes next, then what came before
    for (int row = last + 1; row <= last + around && row < m_model.rowCount(); ++row)
        samples.push_back(m_model.sampleAt(row));
    for (int row = first - 1; row >= std::max(0, first - around); --row)
        samples.push_back(m_model.sampleAt(row));
    const QSize room = pictureRoom();
    m_loader.want(samples, int(std::max(room.width(), room.height()) * devicePixelRatioF()));
}

void PictureGrid::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    layOut();
}

void PictureGrid::scrollContentsBy(int dx, int dy) {
    QListView::scrollContentsBy(dx, dy);
    m_soon.start();
}

void PictureGrid::showEvent(QShowEvent* event) {
    QListView::showEvent(event);
    m_soon.start();
}

void PictureGrid::changeEvent(QEvent* event) {
    QListView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        theme::tintSelection(this);
}

void PictureGrid::keyPressEvent(QKeyEvent* event) {
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (opens && currentIndex().isValid()) {
        Q_EMIT opened(currentIndex().data(PictureModel::SampleRole).toLongLong());
        return;
    }
    QListView::keyPressEvent(event);
}

void PictureGrid::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier))
        return QListView::wheelEvent(event);
    setSizeStep(m_step + (event->angleDelta().y() > 0 ? 1 : -1));
    event->accept();
}

} // namespace trainyard
