#pragma once

#include "app/workbench/data/DataSource.h"
#include "widgets/pictures/AnnotationPainter.h"

#include <QThreadPool>
#include <QWidget>

#include <memory>

class QAction;
class QHBoxLayout;
class QLabel;
class QSplitter;
class QToolButton;

namespace trainyard {

class PictureView;

/// One sample large, as it is in its file and as the network gets it. Left and right walk through the samples, up and
/// down through what the epochs' random numbers make of it, Escape goes back. Reads on a thread of its own. UI thread
/// only.
class PictureViewer final : public QWidget {
    Q_OBJECT
public:
    explicit PictureViewer(const DataSource& source, const QList<QAction*>& layers, QWidget* parent = nullptr);
    ~PictureViewer() override; ///< waits for the picture being read

    void showSample(std::size_t set, std::int64_t sample);
    void clear();
    std::size_t set() const { return m_set; }
    std::int64_t sample() const { return m_sample; }
    std::int64_t draw() const { return m_draw; }
    void setDraw(std::int64_t draw);
    void setLayers(const AnnotationLayers& layers);
    void setPlace(std::int64_t position, std::int64_t count); ///< among the samples that are shown
    void showProblems();
    PictureView* inFile() const { return m_inFile; }
    PictureView* asSeen() const { return m_asSeen; }
    QLabel* seenTitle() const { return m_seenTitle; }
    QLabel* problemLabel() const { return m_problems; }

Q_SIGNALS:
    void stepAsked(int by);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Read;
    QWidget* makeSide(PictureView* view, QLabel* title);
    QToolButton* addButton(QHBoxLayout* row, const QString& text, const QString& icon, const QString& tip);
    void read(bool both);
    void showFile(const Read& read);
    void showSeen(const Read& read);
    QString factsText(const Sample& sample) const;
    void paintWords();

    const DataSource& m_source;
    QThreadPool m_pool; ///< one thread
    PictureView *m_inFile, *m_asSeen;
    QLabel *m_title, *m_fileTitle, *m_seenTitle, *m_facts, *m_problems, *m_steps;
    QToolButton *m_back, *m_previous, *m_next, *m_drawBefore, *m_drawAfter;
    std::size_t m_set = 0;
    std::int64_t m_sample = -1, m_draw = 0;
    std::int64_t m_position = 0, m_count = 0;
    int m_question = 0;
};

} // namespace trainyard
