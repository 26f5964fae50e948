#pragma once

#include "app/workbench/monitor/SamplePictures.h"

#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace trainyard {

/// One sample as large as there is room. Left and right walk through the samples, up and down through the evaluations,
/// Escape goes back. Shows what it is given; UI thread only.
class SampleViewer final : public QWidget {
    Q_OBJECT
public:
    explicit SampleViewer(QWidget* parent = nullptr);
    void setPictures(std::shared_ptr<const SamplePictures> pictures, bool hasOlder, bool hasNewer);
    void showSample(int sample);
    int sample() const { return m_sample; }

Q_SIGNALS:
    void evaluationAsked(int by); ///< -1 the one before, 1 the one after
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QToolButton* addButton(const QString& text, const QString& icon, const QString& tip);
    void showCurrent();

    std::shared_ptr<const SamplePictures> m_pictures;
    int m_sample = 0;
    QLabel *m_title, *m_verdict;
    QToolButton *m_back, *m_previous, *m_next, *m_older, *m_newer;
};

} // namespace trainyard
