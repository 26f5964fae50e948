#include "app/workbench/DetailsPanel.h"

#include "app/workbench/RunView.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/StateLook.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace trainyard {
namespace {

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString row(const QString& name, const QString& value) {
    if (value.isEmpty())
        return {};
    return QStringLiteral("<tr><td style='padding-right:8px;color:%3'>%1</td><td>%2</td></tr>")
        .arg(name, value, theme::dimText(QPalette()).name());
}

/// One happening of the run's history: when, what, and what there is to say about it.
QString eventText(const RunEvent& event) {
    const QString dim = theme::dimText(QPalette()).name();
    QString said = escaped(event.text);
    said.replace(QLatin1Char('/'), QStringLiteral("/\u200b")); // a path breaks between its folders
    return QStringLiteral("<p style='margin:0 0 6px 2px'><span style='color:%4'>%1 · %2</span> %3<br>%5</p>")
        .arg(theme::countText(event.iteration), theme::whenText(event.wallMicroseconds),
             QString::fromLatin1(eventName(event.kind)), dim, said);
}

} // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QDockWidget(tr("Details"), parent), m_title(new QLabel(this)), m_tags(new QLineEdit(this)),
      m_notes(new QPlainTextEdit(this)), m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("details"));
    auto* content = new QWidget(this);
    const int quarter = theme::quarter(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, 2 * quarter);
    column->setSpacing(2 * quarter);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_title->setWordWrap(true);
    m_tags->setPlaceholderText(tr("baseline, wide, …"));
    m_notes->setPlaceholderText(tr("What this run was for, what it taught"));
    m_notes->setFixedHeight(fontMetrics().lineSpacing() * 5);
    m_notes->setTabChangesFocus(true);
    m_notes->installEventFilter(this);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(quarter);
    form->addRow(tr("&Tags"), m_tags);
    form->addRow(tr("&Notes"), m_notes);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->viewport()->setAutoFillBackground(false);
    column->addWidget(m_title);
    column->addLayout(form);
    column->addWidget(m_text, 1);
    setWidget(content);
    content->setMinimumWidth(fontMetrics().averageCharWidth() * 34);
    connect(m_tags, &QLineEdit::editingFinished, this, [this] {
        QStringList tags;
        for (const QString& tag : m_tags->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
            if (!tag.trimmed().isEmpty())
                tags << tag.trimmed();
        if (m_run != 0 && m_tags->isModified())
            Q_EMIT tagsEdited(m_run, tags);
        m_tags->setModified(false);
    });
}

bool DetailsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_notes && event->type() == QEvent::FocusOut && m_notes->document()->isModified() && m_run != 0) {
        m_notes->document()->setModified(false);
        Q_EMIT notesEdited(m_run, m_notes->toPlainText());
    }
    return QDockWidget::eventFilter(watched, event);
}

void DetailsPanel::setProject(std::shared_ptr<const ProjectSnapshot> project) {
    m_project = std::move(project);
    if (isVisible())
        fill();
}

void DetailsPanel::showEvent(QShowEvent* event) {
    QDockWidget::showEvent(event);
    fill();
}

void DetailsPanel::fill() {
    const RunRecord* run = m_project ? m_project->shown() : nullptr;
    const bool isOther = !run || run->id != m_run;
    m_run = run ? run->id : 0;
    m_tags->setEnabled(run && !m_project->isReadOnly);
    m_notes->setEnabled(run && !m_project->isReadOnly);
    m_title->setText(run ? runTitle(*run) : tr("Nothing is selected."));
    if (!run) {
        m_tags->clear();
        m_notes->clear();
        m_text->clear();
        return;
    }
    QStringList tags;
    for (const std::string& tag : run->tags)
        tags << QString::fromStdString(tag);
    if (isOther || !m_tags->hasFocus())
        m_tags->setText(tags.join(QStringLiteral(", ")));
    if (isOther || (!m_notes->hasFocus() && m_notes->toPlainText() != QString::fromStdString(run->notes))) {
        m_notes->setPlainText(QString::fromStdString(run->notes));
        m_notes->document()->setModified(false);
    }
    const RunProvenance& provenance = m_project->provenance;
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2'>");
    html += row(tr("State"), theme::stateLook(run->status).word);
    html += row(tr("Why"), escaped(run->error));
    html += row(tr("Model"), escaped(run->modelType));
    html += row(tr("Made"), theme::whenText(run->createdMicroseconds));
    html += row(tr("Trained for"), theme::durationText(run->seconds));
    html += row(tr("Seed"), QString::number(provenance.seed));
    html += row(tr("Device"), escaped(provenance.device));
    html += row(tr("Code"), escaped(provenance.codeVersion));
    html += row(tr("Libraries"), escaped(provenance.libraries));
    html += row(tr("Data"), escaped(provenance.dataFingerprint).left(12));
    html += row(tr("Folder"), escaped(run->folder));
    html += QStringLiteral("</table><p><b>%1</b></p>").arg(tr("History"));
    constexpr std::size_t kMostEvents = 60;
    std::size_t shown = 0;
    for (auto event = m_project->events.rbegin(); event != m_project->events.rend() && shown < kMostEvents;
         ++event, ++shown)
        html += eventText(*event);
    if (html == m_html)
        return;
    m_html = html;
    const int place = m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(place);
}

} // namespace trainyard
