#include "app/workbench/data/DataPage.h"

#include "app/workbench/Actions.h"
#include "app/workbench/EmptyState.h"
#include "app/workbench/data/DataCharts.h"
#include "app/workbench/data/PictureViewer.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {
namespace {

constexpr int kAfterTheLastKey = 120; // milliseconds
constexpr int kProblemLines = 3;

/// File names differ at their ends: what does not fit goes from the middle.
class FileNameDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

QToolButton* buttonOf(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    return button;
}

} // namespace

DataPage::DataPage(const Actions& actions, std::shared_ptr<ThumbnailCache> cache, QWidget* parent)
    : QWidget(parent), m_loader(std::move(cache)), m_model(new PictureModel(m_source, m_loader, this)),
      m_problems(new ProblemsModel(m_source, this)), m_grid(new PictureGrid(*m_model, m_loader, this)),
      m_charts(new DataCharts(this)), m_problemTable(new QuietTable(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)), m_empty(new EmptyState(this)), m_stack(new QStackedLayout) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    makeActions(actions);
    m_viewer = new PictureViewer(m_source, m_layers, this);
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_charts);
    m_splitter->addWidget(makeGallery());
    m_splitter->addWidget(makeProblems());
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({680, 320}); // shares, not pixels
    m_splitter->setChildrenCollapsible(false);
    column->addWidget(m_splitter, 1);
    setLayout(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(whole);
    m_stack->addWidget(m_viewer);
    m_filterSoon.setSingleShot(true);
    m_filterSoon.setInterval(kAfterTheLastKey);
    connectParts();
    showLayers();
    showState();
}

DataPage::~DataPage() {
    delete m_viewer; // these look at source and loader, which are members
    delete m_grid;
    delete m_model;
}

void DataPage::makeActions(const Actions& actions) {
    m_toConfigure = actions.pages.front();
    const auto make = [this](const QString& text, const QString& icon, const QString& tip) {
        auto* action = new QAction(text, this);
        if (!icon.isEmpty())
            action->setIcon(theme::icon(icon));
        action->setToolTip(tip);
        return action;
    };
    m_addFolder = make(tr("Choose a Folder of Data…"), QStringLiteral("folder"),
                       tr("Train on the pictures and annotations in a folder; their format is found by looking"));
    m_cancel = make(tr("Cancel"), QStringLiteral("stop"), tr("Give up reading the data"));
    m_again = make(tr("Look Again"), QStringLiteral("reset"), tr("Open the data anew"));
    m_check = make(tr("Check All Pictures"), QStringLiteral("search"),
                   tr("Decode every picture, to find the damaged ones and all sizes"));
    m_showCharts = make(tr("Distributions"), QStringLiteral("monitor"), tr("Show distributions above the pictures"));
    m_showCharts->setCheckable(true);
    m_showCharts->setChecked(true);
    const std::pair<QString, QString> layers[] = {{tr("Boxes"), tr("Draw boxes over the pictures")},
                                                  {tr("Masks"), tr("Draw masks and polygons over the pictures")},
                                                  {tr("Keypoints"), tr("Draw keypoints over the pictures")},
                                                  {tr("Names"), tr("Write the class at each box of a large picture")}};
    for (const auto& [text, tip] : layers) {
        QAction* layer = make(text, {}, tip);
        layer->setCheckable(true);
        layer->setChecked(true);
        connect(layer, &QAction::toggled, this, &DataPage::showLayers);
        m_layers << layer;
    }
    connect(m_addFolder, &QAction::triggered, this, &DataPage::chooseFolder);
    connect(m_cancel, &QAction::triggered, &m_source, &DataSource::cancel);
    connect(m_again, &QAction::triggered, &m_source, &DataSource::lookAgain);
    connect(m_check, &QAction::triggered, &m_source, &DataSource::checkPictures);
    connect(m_showCharts, &QAction::toggled, m_charts, &QWidget::setVisible);
    connect(m_showCharts, &QAction::toggled, this, &DataPage::settingsChanged);
}

QWidget* DataPage::makeHead() {
    const int quarter = theme::quarter(this);
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, 2 * quarter);
    row->setSpacing(2 * quarter);
    m_sets = new QComboBox(head);
    m_sets->setAccessibleName(tr("Dataset"));
    m_sets->setToolTip(tr("Which of the configuration's datasets is shown"));
    m_sets->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_search = new QLineEdit(head);
    m_search->setPlaceholderText(tr("Filter by name, class or transcript"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 60);
    m_search->setAccessibleName(tr("Filter of pictures"));
    m_kind = new QComboBox(head);
    m_kind->setAccessibleName(tr("Pictures shown"));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* layers = new QToolButton(head);
    layers->setText(tr("Show"));
    layers->setToolTip(tr("What is drawn over the pictures"));
    layers->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(layers);
    menu->addActions(m_layers);
    layers->setMenu(menu);
    layers->setAutoRaise(true);
    auto* charts = buttonOf(m_showCharts, head);
    auto* check = buttonOf(m_check, head);
    check->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(m_sets);
    row->addWidget(m_search, 1);
    row->addWidget(m_kind);
    row->addStretch(1);
    row->addWidget(layers);
    row->addWidget(charts);
    row->addWidget(check);
    m_lastOfHead = check;
    return head;
}

QWidget* DataPage::makeGallery() {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_nothing = new QLabel(tr("No picture passes the filter."), side);
    m_nothing->setAlignment(Qt::AlignCenter);
    auto* place = new QWidget(side);
    m_galleryStack = new QStackedLayout(place);
    m_galleryStack->addWidget(m_grid);
    m_galleryStack->addWidget(m_nothing);
    column->addWidget(place, 1);
    column->addWidget(makeFoot());
    return side;
}

QWidget* DataPage::makeFoot() {
    const int quarter = theme::quarter(this);
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(3 * quarter, quarter, 3 * quarter, quarter);
    m_counts = new QLabel(foot);
    m_progress = new QLabel(foot);
    m_progress->setTextFormat(Qt::PlainText);
    m_cancelButton = buttonOf(m_cancel, foot);
    row->addWidget(m_counts);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(m_cancelButton);
    foot->setMinimumHeight(m_cancelButton->sizeHint().height() + 2 * quarter); // it stays when the button goes
    return foot;
}

QWidget* DataPage::makeProblems() {
    const int quarter = theme::quarter(this);
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(2 * quarter, 0, 0, 0);
    column->setSpacing(quarter);
    m_problemTitle = new QLabel(side);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_problemTitle->setFont(strong);
    m_problemHint = new QLabel(side);
    m_problemHint->setWordWrap(true);
    m_problemTable->setModel(m_problems);
    m_problemTable->setSortingEnabled(false);
    m_problemTable->setAccessibleName(tr("Problems"));
    m_problemTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_problemTable->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_problemTable->horizontalHeader()->setStretchLastSection(true);
    m_problemTable->horizontalHeader()->resizeSection(ProblemsModel::Picture, fontMetrics().averageCharWidth() * 24);
    m_problemTable->setItemDelegateForColumn(ProblemsModel::Picture, new FileNameDelegate(m_problemTable));
    m_problemTable->setWordWrap(true); // sentences: all rows are as high as most need
    m_problemTable->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() * kProblemLines + 2 * quarter);
    m_problemTable->setToolTip(tr("Return or a double click shows the picture"));
    side->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
    column->addWidget(m_problemTitle);
    column->addWidget(m_problemHint);
    column->addWidget(m_problemTable, 1);
    return side;
}

void DataPage::connectParts() {
    connect(&m_source, &DataSource::changed, this, &DataPage::showState);
    connect(&m_source, &DataSource::aboutToOpen, this, &DataPage::keepPlace);
    connect(&m_source, &DataSource::opened, this, &DataPage::showOpened);
    connect(&m_source, &DataSource::problemsChanged, this, [this] {
        m_grid->viewport()->update();
        m_viewer->showProblems();
        showCounts();
        if (filter().kind == SampleFilter::WithProblems)
            m_filterSoon.start();
    });
    connect(&m_loader, &ThumbnailLoader::damaged, this,
            [this](qint64 sample, const QString& sentence) { m_source.addDamage(m_model->set(), sample, sentence); });
    connect(m_sets, &QComboBox::activated, this, &DataPage::chooseSet);
    connect(m_search, &QLineEdit::textChanged, &m_filterSoon, qOverload<>(&QTimer::start));
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            applyFilter();
    });
    connect(&m_filterSoon, &QTimer::timeout, this, &DataPage::applyFilter);
    connect(m_charts, &DataCharts::classChosen, this, [this](int label) {
        const int at = m_kind->findData(QPoint(SampleFilter::OfClass, label));
        if (at >= 0)
            m_kind->setCurrentIndex(m_kind->currentIndex() == at ? 0 : at);
    });
    connect(m_grid, &PictureGrid::opened, this, &DataPage::openSample);
    connect(m_grid, &PictureGrid::sizeStepChanged, this, &DataPage::settingsChanged);
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this, &DataPage::settingsChanged);
    connect(m_viewer, &PictureViewer::closed, this, &DataPage::closeViewer);
    connect(m_viewer, &PictureViewer::stepAsked, this, &DataPage::stepSample);
    connect(m_problemTable, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { showProblem(index.row()); });
    for (const auto key : {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(key, m_problemTable, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
                [this] { showProblem(m_problemTable->currentIndex().row()); });
    connect(new QShortcut(Qt::Key_Escape, m_search, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
            [this] {
                m_search->clear();
                m_grid->setFocus();
            });
}

void DataPage::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Choose a Folder of Data"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &DataPage::folderChosen);
    dialog->open();
}

void DataPage::find() {
    if (isViewerOpen())
        closeViewer();
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

} // namespace trainyard
