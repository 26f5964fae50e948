#pragma once

#include "app/workbench/monitor/SamplePictures.h"

#include <QWidget>

#include <memory>

namespace trainyard {

/// The first samples of the newest evaluation side by side, each with what the model says of it. A click, or Return on
/// the chosen one, asks to see it large. UI thread only.
class SampleStrip final : public QWidget {
    Q_OBJECT
public:
    explicit SampleStrip(QWidget* parent = nullptr);
    void setPictures(std::shared_ptr<const SamplePictures> pictures);
    int count() const { return m_pictures ? int(m_pictures->samples.size()) : 0; }
    QRect placeOf(int sample) const; ///< for tests
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void opened(int sample);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int sampleAt(const QPoint& position) const;
    int captionWidth() const;
    void choose(int sample);

    std::shared_ptr<const SamplePictures> m_pictures;
    int m_chosen = 0;
};

} // namespace trainyard
