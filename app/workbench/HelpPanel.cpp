#include "app/workbench/HelpPanel.h"

#include "core/config/Schema.h"
#include "widgets/theme/Theme.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFile>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace trainyard {
namespace {

/// Name of the file in resources/help, and the title it is listed under.
struct Page {
    const char* name;
    const char* title;
};
constexpr Page kPages[] = {
    {"start", QT_TRANSLATE_NOOP("HelpPanel", "First Steps")},
    {"configure", QT_TRANSLATE_NOOP("HelpPanel", "Configure")},
    {"data", QT_TRANSLATE_NOOP("HelpPanel", "Data")},
    {"monitor", QT_TRANSLATE_NOOP("HelpPanel", "Monitor")},
    {"runs", QT_TRANSLATE_NOOP("HelpPanel", "Runs and Checkpoints")},
    {"keyboard", QT_TRANSLATE_NOOP("HelpPanel", "Keyboard")},
    {"reference", QT_TRANSLATE_NOOP("HelpPanel", "Every Key of the Configuration")},
};

QString escaped(QString text) {
    for (const char* special : {"\\", "*", "_", "<", "`", "[", "#"})
        text.replace(QLatin1String(special), QLatin1Char('\\') + QLatin1String(special));
    return text;
}

} // namespace

HelpPanel::HelpPanel(QWidget* parent)
    : QDockWidget(tr("Help"), parent), m_pages(new QComboBox(this)), m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("help"));
    for (const Page& page : kPages)
        m_pages->addItem(tr(page.title), QLatin1String(page.name));
    m_pages->setAccessibleName(tr("Help page"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(3 * theme::quarter(this));
    m_text->document()->setIndentWidth(5 * theme::quarter(this)); // lists need the width for words
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    const int quarter = theme::quarter(this);
    column->setContentsMargins(2 * quarter, 2 * quarter, 2 * quarter, 0);
    column->addWidget(m_pages);
    column->addWidget(m_text, 1);
    content->setMinimumWidth(fontMetrics().averageCharWidth() * 44);
    setWidget(content);
    connect(m_pages, &QComboBox::currentIndexChanged, this, [this] { open(m_pages->currentData().toString()); });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { open(link.toString()); });
}

QStringList HelpPanel::pages() const {
    QStringList names;
    for (const Page& page : kPages)
        names << QLatin1String(page.name);
    return names;
}

void HelpPanel::showEvent(QShowEvent* event) {
    QDockWidget::showEvent(event);
    if (m_text->document()->isEmpty())
        open(QStringLiteral("start"));
}

void HelpPanel::changeEvent(QEvent* event) {
    QDockWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_text && !m_text->document()->isEmpty())
        open(m_pages->currentData().toString()); // links take their colour when they are read
}

void HelpPanel::open(const QString& page) {
    const QString name = page.section(QLatin1Char('#'), 0, 0), anchor = page.section(QLatin1Char('#'), 1);
    const int at = m_pages->findData(name);
    if (at < 0)
        return;
    m_pages->blockSignals(true);
    m_pages->setCurrentIndex(at);
    m_pages->blockSignals(false);
    if (name == QLatin1String("reference")) {
        m_text->setMarkdown(referenceMarkdown());
    } else {
        QFile file(QStringLiteral(":/help/%1.md").arg(name));
        // part of the program: it can always be opened
        if (file.open(QIODevice::ReadOnly))
            m_text->setMarkdown(QString::fromUtf8(file.readAll()));
    }
    if (!anchor.isEmpty())
        m_text->find(anchor);
}

QString HelpPanel::referenceMarkdown() {
    QString text = tr("# Every key of the configuration") + QStringLiteral("\n\n");
    std::string section;
    for (const Field& field : Schema::instance().fields()) {
        const std::string here =
            field.key.substr(0, field.key.rfind('.') == std::string::npos ? 0 : field.key.rfind('.'));
        if (here != section) {
            section = here;
            text += QStringLiteral("## %1\n\n").arg(escaped(QString::fromStdString(section)));
        }
        QStringList facts = {QString::fromStdString(field.allowed())};
        if (!field.unit.empty())
            facts << QString::fromStdString(field.unit);
        facts << tr("default %1").arg(QString::fromStdString(toText(field.defaultValue)))
              << QString::fromLatin1(changeText(field.change));
        text += QStringLiteral("**%1** — %2  \n*%3*\n\n")
                    .arg(escaped(QString::fromStdString(field.key)),
                         escaped(QCoreApplication::translate("Schema", field.help.c_str())),
                         escaped(facts.join(QStringLiteral("; "))));
    }
    return text;
}

} // namespace trainyard
