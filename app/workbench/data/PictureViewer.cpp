#include "app/workbench/data/PictureViewer.h"

#include "widgets/pictures/PictureView.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {

/// What the thread hands back.
struct PictureViewer::Read {
    std::optional<Result<Sample>> file; ///< nothing where only the other side was asked for
    Result<SeenSample> seen;
    AnnotatedPicture filePicture, seenPicture;
};

PictureViewer::PictureViewer(const DataSource& source, const QList<QAction*>& layers, QWidget* parent)
    : QWidget(parent), m_source(source), m_inFile(new PictureView(this)), m_asSeen(new PictureView(this)),
      m_title(new QLabel(this)), m_fileTitle(new QLabel(tr("In the file"), this)), m_seenTitle(new QLabel(this)),
      m_facts(new QLabel(this)), m_problems(new QLabel(this)), m_steps(new QLabel(this)) {
    m_pool.setMaxThreadCount(1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    const int quarter = theme::quarter(this);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * quarter);
    m_back = addButton(head, tr("Back to All"), QStringLiteral("undo"), tr("Back to all pictures (Escape)"));
    head->addSpacing(2 * quarter);
    head->addWidget(m_title, 1);
    for (QAction* layer : layers) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(layer);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setAutoRaise(true);
        head->addWidget(button);
    }
    head->addSpacing(2 * quarter);
    m_previous = addButton(head, tr("Previous"), {}, tr("The picture before (Left)"));
    m_next = addButton(head, tr("Next"), {}, tr("The picture after (Right)"));
    m_drawBefore = addButton(head, tr("Draw Before"), {}, tr("What the epoch before makes of it (Up)"));
    m_drawAfter = addButton(head, tr("Another Draw"), {}, tr("What the next epoch makes of it (Down)"));

    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(makeSide(m_inFile, m_fileTitle));
    sides->addWidget(makeSide(m_asSeen, m_seenTitle));
    m_inFile->setAccessibleName(tr("The picture in its file"));
    m_asSeen->setAccessibleName(tr("The picture as the network gets it"));
    for (QLabel* label : {m_facts, m_problems, m_steps}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_title->setTextFormat(Qt::PlainText);
    m_title->setMinimumWidth(1); // long names give way
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, 2 * quarter);
    column->setSpacing(2 * quarter);
    column->addLayout(head);
    column->addWidget(sides, 1);
    column->addWidget(m_problems);
    column->addWidget(m_facts);
    column->addWidget(m_steps);
    setFocusProxy(m_inFile);
    for (PictureView* view : {m_inFile, m_asSeen}) // after the buttons above them
        setTabOrder(view == m_asSeen ? static_cast<QWidget*>(m_inFile) : m_drawAfter, view);
    connect(m_back, &QToolButton::clicked, this, &PictureViewer::closed);
    connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepAsked(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepAsked(1); });
    connect(m_drawBefore, &QToolButton::clicked, this, [this] { setDraw(m_draw - 1); });
    connect(m_drawAfter, &QToolButton::clicked, this, [this] { setDraw(m_draw + 1); });
    paintWords();
}

PictureViewer::~PictureViewer() {
    m_pool.clear();
    m_pool.waitForDone();
}

QWidget* PictureViewer::makeSide(PictureView* view, QLabel* title) {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::quarter(this));
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    column->addWidget(view, 1);
    return side;
}

QToolButton* PictureViewer::addButton(QHBoxLayout* row, const QString& text, const QString& icon, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    if (!icon.isEmpty()) {
        button->setIcon(theme::icon(icon));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    row->addWidget(button);
    return button;
}

void PictureViewer::paintWords() {
    theme::setInk(m_fileTitle, theme::dimText(palette()));
    theme::setInk(m_seenTitle, theme::dimText(palette()));
    theme::setInk(m_steps, theme::dimText(palette()));
    theme::setInk(m_problems, theme::toneColour(theme::Tone::Warning, palette()));
}

void PictureViewer::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_steps)
        paintWords();
    QWidget::changeEvent(event);
}

void PictureViewer::clear() {
    ++m_question;
    m_sample = -1;
    m_inFile->setNotice({});
    m_asSeen->setNotice({});
}

void PictureViewer::showSample(std::size_t set, std::int64_t sample) {
    m_set = set;
    m_sample = sample;
    const bool isForTraining = m_source.data()->sets()[set].isForTraining;
    m_drawBefore->setVisible(isForTraining);
    m_drawAfter->setVisible(isForTraining);
    showProblems();
    read(true);
}

void PictureViewer::setDraw(std::int64_t draw) {
    if (draw < 0 || m_sample < 0 || draw == m_draw)
        return;
    m_draw = draw;
    read(false);
}

void PictureViewer::setLayers(const AnnotationLayers& layers) {
    m_inFile->setLayers(layers);
    m_asSeen->setLayers(layers);
}

void PictureViewer::setPlace(std::int64_t position, std::int64_t count) {
    m_position = position;
    m_count = count;
    m_previous->setEnabled(position > 0);
    m_next->setEnabled(position + 1 < count);
}

void PictureViewer::read(bool both) {
    m_drawBefore->setEnabled(m_draw > 0);
    m_pool.clear(); // pictures that were walked past
    QtConcurrent::run(&m_pool, [data = m_source.data(), set = m_set, sample = m_sample, draw = m_draw, both] {
        auto read = std::make_shared<Read>(Read{std::nullopt, data->seen(set, sample, draw), {}, {}});
        if (both) {
            read->file = data->picture(set, sample);
            if (const auto& file = *read->file)
                read->filePicture = annotated(toQImage(file->image), {}, file->objects, file->info.transcript);
        }
        if (read->seen) {
            const Sample& seen = read->seen->sample;
            read->seenPicture = annotated(toQImage(seen.image), {}, seen.objects, seen.info.transcript);
        }
        return read;
    }).then(this, [this, question = ++m_question](const std::shared_ptr<Read>& read) {
        if (question != m_question)
            return;
        if (read->file)
            showFile(*read);
        showSeen(*read);
    });
}

QString PictureViewer::factsText(const Sample& sample) const {
    QStringList facts = {tr("%1 × %2 pixels").arg(sample.info.width).arg(sample.info.height)};
    if (m_source.data()->sets()[m_set].task == TaskKind::Recognition)
        return facts.front() + tr(" · says “%1”").arg(QString::fromStdString(sample.info.transcript));
    const QStringList classes = m_source.classes(m_set);
    std::vector<int> counts(std::size_t(classes.size()), 0);
    int ignored = 0;
    for (const ObjectAnnotation& object : sample.info.objects) {
        if (object.label >= 0 && object.label < classes.size())
            ++counts[std::size_t(object.label)];
        ignored += object.isCrowd || object.isDifficult;
    }
    facts << tr("%n object(s)", nullptr, int(sample.info.objects.size()));
    for (qsizetype label = 0; label < classes.size(); ++label)
        if (counts[std::size_t(label)] > 0)
            facts << tr("%1: %2").arg(classes[label], theme::countText(counts[std::size_t(label)]));
    if (ignored > 0)
        facts << tr("%n ignored", nullptr, ignored);
    return facts.join(QStringLiteral(" · "));
}

void PictureViewer::showFile(const Read& read) {
    const auto& file = *read.file;
    m_title->setText(tr("%1 · %2 of %3")
                         .arg(QString::fromStdString(m_source.data()->info(m_set, m_sample).id),
                              theme::countText(m_position + 1), theme::countText(m_count)));
    if (!file) {
        m_inFile->setNotice(QString::fromStdString(file.error().sentence()));
        m_facts->clear();
        return;
    }
    m_inFile->setPicture(read.filePicture, m_source.classes(m_set));
    m_facts->setText(factsText(*file));
    m_inFile->setAccessibleDescription(m_facts->text());
    showProblems(); // marks belong to the picture that is there
}

void PictureViewer::showSeen(const Read& read) {
    if (!read.seen) {
        m_asSeen->setNotice(QString::fromStdString(read.seen.error().sentence()));
        m_seenTitle->setText(tr("As the network gets it"));
        m_steps->clear();
        return;
    }
    const SeenSample& seen = *read.seen;
    m_asSeen->setPicture(read.seenPicture, m_source.classes(m_set));
    const QString size = tr("%1 × %2 pixels").arg(seen.sample.image.width).arg(seen.sample.image.height);
    const bool isForTraining = m_source.data()->sets()[m_set].isForTraining;
    QString title =
        isForTraining
            ? tr("As the network gets it in epoch %1 · %2").arg(theme::countText(m_draw / seen.pieces + 1), size)
            : tr("As the network gets it · %1").arg(size);
    if (seen.pieces > 1)
        title += tr(" · tile %1 of %2").arg(seen.piece + 1).arg(seen.pieces);
    m_seenTitle->setText(title);
    QStringList steps;
    for (const std::string& step : seen.steps)
        steps << QString::fromStdString(step);
    m_steps->setText(tr("Steps: %1").arg(steps.join(QStringLiteral(" → "))));
    m_asSeen->setAccessibleDescription(title + QLatin1Char('\n') + m_steps->text());
}

void PictureViewer::showProblems() {
    QStringList sentences;
    std::vector<QRectF> faults;
    for (const ProblemPlace& place : m_source.problems()) {
        if (place.set != int(m_set) || place.sample != m_sample)
            continue;
        sentences << QString::fromStdString(place.problem.message);
        if (const auto& box = place.problem.box)
            faults.emplace_back(QPointF(box->x1, box->y1), QPointF(box->x2, box->y2));
    }
    m_problems->setText(sentences.join(QLatin1Char('\n')));
    m_problems->setVisible(!sentences.isEmpty());
    m_inFile->setFaults(faults);
}

void PictureViewer::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        if (m_previous->isEnabled())
            Q_EMIT stepAsked(-1);
        return;
    case Qt::Key_Right:
        if (m_next->isEnabled())
            Q_EMIT stepAsked(1);
        return;
    case Qt::Key_Up:
        return setDraw(m_draw - 1);
    case Qt::Key_Down:
        if (m_drawAfter->isVisibleTo(this))
            setDraw(m_draw + 1);
        return;
    case Qt::Key_Escape:
        Q_EMIT closed();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
