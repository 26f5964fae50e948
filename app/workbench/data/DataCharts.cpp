#include "app/workbench/data/DataCharts.h"

#include "widgets/plots/BarsView.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QHBoxLayout>
#include <QScrollBar>

#include <algorithm>

namespace trainyard {

DataCharts::DataCharts(QWidget* parent)
    : QScrollArea(parent), m_content(new QWidget(this)), m_row(new QHBoxLayout(m_content)) {
    const int quarter = theme::quarter(this);
    m_row->setContentsMargins(2 * quarter, 0, 2 * quarter, quarter);
    m_row->setSpacing(5 * quarter);
    m_content->setBackgroundRole(QPalette::Base);
    setBackgroundRole(QPalette::Base);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Distributions"));
    setWidget(m_content);
}

QSize DataCharts::sizeHint() const {
    const int line = fontMetrics().lineSpacing();
    const bool scrolls = m_content->minimumSizeHint().width() > width();
    const int bar = scrolls ? horizontalScrollBar()->sizeHint().height() : 0;
    return {line * 20, m_content->sizeHint().height() + bar};
}

BarsView* DataCharts::add(const QString& title) {
    auto* chart = new BarsView(title, m_content);
    chart->setAccessibleName(title);
    m_row->addWidget(chart);
    m_charts.push_back(chart);
    return chart;
}

void DataCharts::addDistribution(const QString& title, const Distribution& distribution, const QString& unit) {
    if (distribution.total == 0)
        return;
    std::vector<BarsView::Bar> bars;
    for (std::size_t bin = 0; bin < distribution.counts.size(); ++bin)
        bars.push_back(
            {tr("%1 to %2")
                 .arg(theme::valueText(distribution.edges[bin]), theme::valueText(distribution.edges[bin + 1])),
             distribution.counts[bin]});
    const QString mean = tr("mean %1").arg(theme::valueText(distribution.mean));
    add(unit.isEmpty() ? title : tr("%1, %2").arg(title, unit))
        ->setBars(std::move(bars), theme::valueText(distribution.smallest), theme::valueText(distribution.largest),
                  mean);
}

void DataCharts::addCharacters(const Inspection& inspection) {
    std::vector<BarsView::Bar> bars;
    for (const auto& [character, count] : inspection.characters)
        bars.push_back({QString::fromStdString(character), count});
    if (bars.empty())
        return;
    std::stable_sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    const QString first = bars.front().name, last = bars.back().name;
    const QString note = tr("%n different", nullptr, int(bars.size()));
    add(tr("Characters"))->setBars(std::move(bars), first, last, note);
}

void DataCharts::setInspection(const Inspection& inspection) {
    qDeleteAll(m_charts);
    m_charts.clear();
    if (inspection.task == TaskKind::Detection) {
        std::vector<BarsView::Bar> classes;
        for (const ClassCount& each : inspection.classes)
            classes.push_back({QString::fromStdString(each.name), each.objects});
        const QString ends = classes.size() > 6 ? classes.front().name : QString();
        const QString last = classes.size() > 6 ? classes.back().name : QString();
        BarsView* chart = add(tr("Objects by Class"));
        chart->setBars(std::move(classes), ends, last);
        chart->setChoosable(true);
        connect(chart, &BarsView::chosen, this, &DataCharts::classChosen);
        addDistribution(tr("Size of Boxes"), inspection.boxSizes, tr("pixels"));
        addDistribution(tr("Boxes, Height : Width"), inspection.boxAspects, {});
    } else {
        addDistribution(tr("Length of Words"), inspection.lengths, tr("characters"));
        addCharacters(inspection);
    }
    addDistribution(tr("Width of Pictures"), inspection.widths, tr("pixels"));
    addDistribution(tr("Pictures, Width : Height"), inspection.imageAspects, {});
    updateGeometry();
}

} // namespace trainyard
