// DataPage: what is shown in which state.
#include "app/workbench/EmptyState.h"
#include "app/workbench/data/DataCharts.h"
#include "app/workbench/data/DataPage.h"
#include "app/workbench/data/PictureViewer.h"
#include "widgets/pictures/PictureView.h"
#include "widgets/plots/BarsView.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QToolButton>
#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {
namespace {

enum StackPage { EmptyPage, GalleryPage, ViewerPage };

} // namespace

bool DataPage::isViewerOpen() const {
    return m_stack->currentIndex() == ViewerPage;
}

void DataPage::showState() {
    const auto state = m_source.state();
    if (!m_hasShownState || state != m_shownState || m_source.trouble() != m_shownTrouble) {
        m_hasShownState = true;
        m_shownState = state;
        m_shownTrouble = m_source.trouble();
        switch (state) {
        case DataSource::State::NoEngine:
            m_empty->setContent(QStringLiteral("preparing"), tr("The engine is being loaded."), {}, {});
            break;
        case DataSource::State::NoData:
            m_empty->setContent(QStringLiteral("data"), tr("No data yet."),
                                tr("Choose a folder of pictures with their annotations, or begin from a preset."),
                                {m_addFolder, m_toConfigure});
            break;
        case DataSource::State::Opening:
            m_empty->setContent(QStringLiteral("preparing"), tr("Opening the data…"), QStringLiteral(" "), {m_cancel});
            break;
        case DataSource::State::Failed:
            m_empty->setContent(QStringLiteral("failed"), m_source.trouble(), {},
                                {m_again, m_toConfigure, m_addFolder});
            break;
        case DataSource::State::Open:
            break;
        }
    }
    if (state != DataSource::State::Open) {
        if (state == DataSource::State::Opening)
            m_empty->setHint(m_source.progress());
        m_stack->setCurrentIndex(EmptyPage);
        return;
    }
    if (m_stack->currentIndex() == EmptyPage)
        m_stack->setCurrentIndex(GalleryPage);
    showLook();
    showCounts();
    m_progress->setText(m_source.progress());
    m_cancelButton->setVisible(!m_source.progress().isEmpty());
    m_check->setEnabled(!m_source.isChecking());
}

void DataPage::showOpened() {
    ++m_filterQuestion;
    m_viewer->clear();
    if (isViewerOpen())
        m_stack->setCurrentIndex(GalleryPage);
    if (!m_source.data()) {
        m_hasShownSets = false;
        m_model->setSet(0);
        return;
    }
    m_hasShownSets = true;
    showSets();
    comeBack();
}

void DataPage::showSets() {
    m_isFilling = true;
    m_sets->clear();
    for (const OpenedSet& set : m_source.data()->sets()) {
        const QString name = QString::fromStdString(set.name);
        const QString count = set.samples < 0 ? tr("endless") : theme::countText(set.samples);
        m_sets->addItem((set.isForTraining ? tr("Training: %1 (%2)") : tr("Validation: %1 (%2)")).arg(name, count));
        m_sets->setItemData(m_sets->count() - 1, QString::fromStdString(set.path), Qt::ToolTipRole);
    }
    m_isFilling = false;
}

void DataPage::chooseSet(int set) {
    if (!m_source.data() || set < 0 || std::size_t(set) >= m_source.data()->sets().size())
        return;
    m_set = std::size_t(set);
    m_shownLook.reset();
    m_sets->setCurrentIndex(set);
    m_grid->setClasses(m_source.classes(m_set));
    m_grid->setLines(m_source.data()->sets()[m_set].task == TaskKind::Recognition);
    m_model->setSet(m_set);
    m_charts->hide(); // until it is counted
    fillKinds();
    applyFilter();
    showLook();
    showCounts();
    Q_EMIT settingsChanged();
}

void DataPage::fillKinds() {
    const QVariant chosen = m_kind->currentData();
    m_isFilling = true;
    m_kind->clear();
    const auto add = [this](const QString& text, SampleFilter::Kind kind, int label = 0) {
        m_kind->addItem(text, QPoint(kind, label));
    };
    add(tr("All Pictures"), SampleFilter::All);
    add(tr("With Problems"), SampleFilter::WithProblems);
    if (m_source.data()->sets()[m_set].task == TaskKind::Detection) {
        add(tr("Without Objects"), SampleFilter::WithoutObjects);
        m_kind->insertSeparator(m_kind->count());
        const QStringList classes = m_source.classes(m_set);
        for (int label = 0; label < int(classes.size()); ++label)
            add(classes[label], SampleFilter::OfClass, label);
    }
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(chosen)));
    m_isFilling = false;
}

SampleFilter DataPage::filter() const {
    const QPoint kind = m_kind->currentData().toPoint();
    return {m_search->text(), SampleFilter::Kind(kind.x()), kind.y()};
}

void DataPage::applyFilter() {
    ++m_filterQuestion;
    const auto look = m_source.data() ? m_source.look(m_set) : nullptr;
    const SampleFilter wanted = filter();
    if (!look || wanted == SampleFilter()) { // names are not known yet: once they are, it is asked again
        const std::int64_t kept = m_grid->currentIndex().data(PictureModel::SampleRole).toLongLong();
        m_model->showAll();
        m_galleryStack->setCurrentIndex(0);
        m_grid->showSample(kept);
        showCounts();
        return;
    }
    const auto classes = m_source.classes(m_set);
    const auto troubled = m_source.troubled(m_set);
    QtConcurrent::run([look, wanted, classes, troubled] {
        return look->index.filtered(wanted, classes, troubled);
    }).then(this, [this, question = m_filterQuestion](const std::vector<std::int64_t>& samples) {
        if (question == m_filterQuestion)
            takeFiltered(samples);
    });
}

void DataPage::takeFiltered(std::vector<std::int64_t> samples) {
    const bool hasSome = !samples.empty();
    const std::int64_t kept =
        m_grid->currentIndex().isValid() ? m_grid->currentIndex().data(PictureModel::SampleRole).toLongLong() : -1;
    m_model->setSamples(std::move(samples));
    m_galleryStack->setCurrentIndex(hasSome ? 0 : 1);
    m_grid->showSample(kept);
    if (isViewerOpen())
        m_viewer->setPlace(m_model->rowOf(m_viewer->sample()), m_model->rowCount());
    showCounts();
    Q_EMIT settingsChanged();
}

void DataPage::showLook() {
    const auto look = m_source.data() ? m_source.look(m_set) : nullptr;
    if (!look || look == m_shownLook)
        return;
    m_shownLook = look;
    m_charts->setInspection(look->inspection);
    m_charts->setVisible(m_showCharts->isChecked());
    orderTabs();
    if (filter() != SampleFilter())
        applyFilter();
}

/// Tab goes as one reads: head, distributions, pictures, problems.
void DataPage::orderTabs() {
    QWidget* before = m_lastOfHead;
    std::vector<QWidget*> order(m_charts->charts().begin(), m_charts->charts().end());
    order.insert(order.end(), {m_grid, m_cancelButton, m_problemTable});
    for (QWidget* each : order) {
        setTabOrder(before, each);
        before = each;
    }
}

void DataPage::showCounts() {
    if (!m_source.data())
        return;
    const std::int64_t all = m_source.count(m_set);
    const bool isEndless = m_source.data()->sets()[m_set].samples < 0;
    QStringList words;
    if (m_model->rowCount() < all)
        words << tr("%1 of %n picture(s)", nullptr, int(all)).arg(theme::countText(m_model->rowCount()));
    else
        words << (isEndless ? tr("the first %n picture(s), there is no end", nullptr, int(all))
                            : tr("%n picture(s)", nullptr, int(all)));
    if (const auto look = m_source.look(m_set); look && look->inspection.task == TaskKind::Detection)
        words << tr("%n object(s)", nullptr, int(look->inspection.objects))
              << tr("%n without object", nullptr, int(look->inspection.imagesWithoutObjects));
    m_counts->setText(words.join(QStringLiteral(" · ")));
    const int problems = int(m_source.problems().size());
    m_problemTitle->setText(problems == 0 ? tr("No Problems") : tr("%n Problem(s)", nullptr, problems));
    m_problemHint->setText(m_source.isChecked() ? tr("Every picture was decoded.")
                                                : tr("Found in the annotations and in the pictures shown so far."));
    m_problemTable->setVisible(problems > 0);
    theme::setInk(m_problemHint, theme::dimText(palette()));
    theme::setInk(m_counts, theme::dimText(palette()));
    theme::setInk(m_progress, theme::dimText(palette()));
}

void DataPage::showLayers() {
    const AnnotationLayers layers{m_layers[0]->isChecked(), m_layers[1]->isChecked(), m_layers[2]->isChecked(),
                                  m_layers[3]->isChecked()};
    m_grid->setLayers(layers);
    if (m_viewer)
        m_viewer->setLayers(layers);
    Q_EMIT settingsChanged();
}

void DataPage::openSample(std::int64_t sample) {
    m_viewer->setPlace(m_model->rowOf(sample), m_model->rowCount());
    m_viewer->showSample(m_set, sample);
    m_stack->setCurrentIndex(ViewerPage);
    m_viewer->inFile()->setFocus();
    Q_EMIT settingsChanged();
}

void DataPage::stepSample(int by) {
    const int row = m_model->rowOf(m_viewer->sample()) + by;
    if (row < 0 || row >= m_model->rowCount())
        return;
    const std::int64_t sample = m_model->sampleAt(row);
    m_grid->showSample(sample);
    m_viewer->setPlace(row, m_model->rowCount());
    m_viewer->showSample(m_set, sample);
}

void DataPage::closeViewer() {
    m_stack->setCurrentIndex(GalleryPage);
    m_grid->showSample(m_viewer->sample());
    m_grid->setFocus();
    Q_EMIT settingsChanged();
}

bool DataPage::showProblem(int row) {
    if (row < 0 || row >= m_problems->rowCount() || m_problems->at(row).set < 0)
        return false;
    const ProblemPlace place = m_problems->at(row);
    if (std::size_t(place.set) != m_set)
        chooseSet(place.set);
    if (m_model->rowOf(place.sample) < 0) { // the filter hides it
        m_search->clear();
        m_kind->setCurrentIndex(0);
        applyFilter();
    }
    m_grid->showSample(place.sample);
    openSample(place.sample);
    return true;
}

void DataPage::zoom(int by) {
    if (isViewerOpen())
        m_viewer->inFile()->zoom(by > 0 ? 1.25 : 0.8);
    else
        m_grid->setSizeStep(m_grid->sizeStep() + by);
}

void DataPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_source.setActive(true);
}

void DataPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_source.setActive(false);
}

void DataPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_counts)
        showCounts();
}

} // namespace trainyard
