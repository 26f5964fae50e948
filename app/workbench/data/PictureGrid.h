#pragma once

#include "app/workbench/data/PictureModel.h"
#include "widgets/pictures/AnnotationPainter.h"

#include <QListView>
#include <QTimer>

namespace trainyard {

/// The gallery: thumbnails in even cells, as many in a row as there is room for. Asks the loader for what is in sight,
/// and a screen around it, a moment after the last scroll. UI thread only.
class PictureGrid final : public QListView {
    Q_OBJECT
public:
    static constexpr int kSizes = 5;

    PictureGrid(PictureModel& model, ThumbnailLoader& loader, QWidget* parent = nullptr);

    void setLayers(const AnnotationLayers& layers);
    const AnnotationLayers& layers() const { return m_layers; }
    void setClasses(const QStringList& classes) { m_classes = classes; }
    const QStringList& classes() const { return m_classes; }
    void setLines(bool areWords); ///< words are wide and low
    /// How large thumbnails are, from 0 to kSizes - 1.
    void setSizeStep(int step);
    int sizeStep() const { return m_step; }
    QSize pictureRoom() const; ///< of one thumbnail
    void showSample(std::int64_t sample);
    /// Rows that are in sight; last < first where there are none.
    std::pair<int, int> rowsInSight() const;

Q_SIGNALS:
    void opened(qint64 sample);
    void sizeStepChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void wantWhatIsInSight();

    PictureModel& m_model;
    ThumbnailLoader& m_loader;
    QTimer m_soon;
    AnnotationLayers m_layers;
    QStringList m_classes;
    int m_step = 2;
    bool m_areWords = false;
};

} // namespace trainyard
