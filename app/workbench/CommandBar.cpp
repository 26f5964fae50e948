#include "app/workbench/CommandBar.h"

#include "app/workbench/Actions.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/StateLook.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace trainyard {

CommandBar::CommandBar(const Actions& actions, QWidget* parent)
    : QToolBar(tr("Commands"), parent), m_runs(new QComboBox(this)), m_icon(new QLabel(this)), m_word(new QLabel(this)),
      m_text(new QLabel(this)), m_progress(new QProgressBar(this)) {
    setObjectName(QStringLiteral("commands"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const int quarter = theme::quarter(this);
    layout()->setContentsMargins(quarter, quarter, quarter, quarter);
    addAction(actions.start);
    addAction(actions.pause);
    addAction(actions.stop);
    addAction(actions.resume);
    addAction(actions.further);

    auto* right = new QWidget(this);
    auto* row = new QHBoxLayout(right);
    row->setContentsMargins(4 * quarter, 0, 2 * quarter, 0);
    row->setSpacing(2 * quarter);
    auto* label = new QLabel(tr("&Run"), right);
    label->setBuddy(m_runs);
    m_runs->setMinimumContentsLength(22);
    m_runs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_runs->setToolTip(tr("The run that the pages show and the buttons act on"));
    m_runs->setAccessibleName(tr("Shown run"));
    connect(m_runs, &QComboBox::activated, this,
            [this](int index) { Q_EMIT runChosen(m_runs->itemData(index).toLongLong()); });
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setFixedSize(fontMetrics().averageCharWidth() * 16, 2 * quarter);
    m_progress->setAccessibleName(tr("Progress of the run"));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_word->setFont(strong);
    row->addWidget(label);
    row->addWidget(m_runs);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addSpacing(quarter);
    row->addWidget(m_icon);
    row->addWidget(m_word);
    row->addWidget(m_text);
    right->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(right);
    setView(std::nullopt);
}

void CommandBar::setRuns(const std::vector<RunRecord>& runs, std::int64_t shown) {
    bool isSame = m_runs->count() == int(runs.size());
    for (int at = 0; isSame && at < m_runs->count(); ++at) {
        const RunRecord& run = runs[runs.size() - 1 - std::size_t(at)];
        isSame = m_runs->itemData(at).toLongLong() == run.id && m_runs->itemText(at) == runTitle(run);
    }
    if (!isSame && !m_runs->view()->isVisible()) {
        m_runs->clear();
        for (auto run = runs.rbegin(); run != runs.rend(); ++run)
            m_runs->addItem(runTitle(*run), qlonglong(run->id));
    }
    m_runs->setEnabled(!runs.empty());
    if (!m_runs->view()->isVisible())
        m_runs->setCurrentIndex(m_runs->findData(qlonglong(shown)));
}

void CommandBar::setView(const std::optional<RunView>& view) {
    m_view = view;
    paintState();
}

void CommandBar::paintState() {
    for (QWidget* widget : std::initializer_list<QWidget*>{m_icon, m_word, m_text})
        widget->setVisible(m_view.has_value());
    m_progress->setVisible(m_view && m_view->isActive());
    if (!m_view)
        return;
    const auto look = theme::stateLook(m_view->status);
    const QColor colour = theme::toneColour(look.tone, palette());
    m_icon->setPixmap(theme::iconPixmap(look.icon, fontMetrics().height(), devicePixelRatioF(), colour));
    theme::setInk(m_word, colour);
    m_word->setText(m_view->isFollowed ? tr("%1 (followed)").arg(look.word) : look.word);
    const QString tip = m_view->error.isEmpty() ? look.meaning : m_view->error;
    m_word->setToolTip(tip);
    m_icon->setToolTip(tip);
    const QString progress = m_view->progressText();
    m_text->setText(progress.isEmpty() ? QString() : QStringLiteral("· ") + progress);
    const double share = m_view->progress();
    if (m_view->status == RunStatus::Preparing || share < 0)
        m_progress->setRange(0, 0);
    else
        m_progress->setRange(0, 1000);
    m_progress->setValue(int(share * 1000));
}

void CommandBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_progress)
        paintState();
}

} // namespace trainyard
