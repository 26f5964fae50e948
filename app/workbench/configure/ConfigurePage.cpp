#include "app/workbench/configure/ConfigurePage.h"

#include "app/workbench/Actions.h"
#include "app/workbench/configure/ConfigFacts.h"
#include "app/workbench/configure/Forecaster.h"
#include "core/base/AtomicFile.h"
#include "widgets/forms/ConfigForm.h"
#include "widgets/forms/FieldRow.h"
#include "widgets/forms/YamlEditor.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

namespace {

QString troubleText(const ConfigProblem& problem) {
    const QString sentence = QString::fromStdString(problem.message);
    return problem.line > 0 ? ConfigurePage::tr("Line %1: %2").arg(problem.line).arg(sentence) : sentence;
}

} // namespace

ConfigurePage::ConfigurePage(const Actions& actions, QWidget* parent)
    : QWidget(parent), m_forecaster(new Forecaster(this)), m_presets(new QMenu(this)), m_form(new ConfigForm(this)),
      m_yaml(new YamlEditor(this)), m_unreadable(new QLabel(this)), m_trouble(new QLabel(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    const int quarter = theme::quarter(this);
    auto* left = new QWidget(this);
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    m_unreadable->setWordWrap(true);
    m_unreadable->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, quarter);
    leftColumn->addWidget(m_unreadable);
    leftColumn->addWidget(m_form, 1);
    m_splitter->addWidget(left);
    auto* right = new QWidget(this);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    m_trouble->setWordWrap(true);
    m_trouble->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setMinimumHeight(fontMetrics().lineSpacing() * 2 + 2 * quarter); // as the help beside it
    m_trouble->setContentsMargins(3 * quarter, quarter, 3 * quarter, quarter);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rightColumn->addWidget(m_yaml, 1);
    rightColumn->addWidget(m_trouble);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({600, 400}); // shares, not pixels
    m_splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead(actions));
    column->addWidget(m_splitter, 1);
    makePresetMenu();

    connect(m_form, &ConfigForm::edited, &m_document, &ConfigDocument::setValue);
    connect(m_form, &ConfigForm::resetAsked, &m_document, &ConfigDocument::reset);
    connect(m_yaml, &YamlEditor::textEdited, &m_document, &ConfigDocument::typeText);
    connect(&m_document, &ConfigDocument::changed, this, &ConfigurePage::showDocument);
    connect(m_document.history(), &QUndoStack::indexChanged, this, &ConfigurePage::settingsChanged);
    m_yaml->setPlaceholderText(tr("Begin from a preset, or set fields in the form."));
    followTheme();
    showDocument();
}

QWidget* ConfigurePage::makeHead(const Actions& actions) {
    const int quarter = theme::quarter(this);
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, quarter);
    column->setSpacing(2 * quarter);
    auto* row = new QHBoxLayout;
    row->setSpacing(2 * quarter);
    auto* preset = new QToolButton(head);
    preset->setText(tr("Begin from Preset"));
    preset->setIcon(theme::icon(QStringLiteral("new")));
    preset->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    preset->setPopupMode(QToolButton::InstantPopup);
    preset->setMenu(m_presets);
    preset->setToolTip(tr("Replace the configuration by one of the presets; Undo brings it back"));
    row->addWidget(preset);
    for (QAction* action : {actions.openConfig, actions.saveConfig, actions.undo, actions.redo}) {
        auto* button = new QToolButton(head);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto* label = new QLabel(tr("Run &name"), head);
    m_name = new QLineEdit(head);
    m_name->setPlaceholderText(tr("from model and data"));
    m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
    m_name->setToolTip(tr("What the new run is called; empty takes the model's and the data's names"));
    label->setBuddy(m_name);
    connect(m_name, &QLineEdit::editingFinished, this, &ConfigurePage::settingsChanged);
    row->addWidget(label);
    row->addWidget(m_name);
    column->addLayout(row);

    m_facts = new ConfigFacts(head);
    connect(m_facts, &ConfigFacts::firstProblemAsked, this, &ConfigurePage::showFirstProblem);
    connect(m_facts, &ConfigFacts::lookCancelled, m_forecaster, &Forecaster::cancelLook);
    connect(m_facts, &ConfigFacts::lookAsked, m_forecaster, &Forecaster::lookAgain);
    connect(m_forecaster, &Forecaster::changed, m_facts, [this] { m_facts->setForecast(m_forecaster->forecast()); });
    column->addWidget(m_facts);
    return head;
}

void ConfigurePage::makePresetMenu() {
    for (const Preset& preset : presets()) {
        QAction* action =
            m_presets->addAction(QStringLiteral("%1   — %2")
                                     .arg(QString::fromStdString(preset.name), QString::fromStdString(preset.summary)));
        connect(action, &QAction::triggered, this, [this, name = QString::fromStdString(preset.name)] {
            const QString trouble = loadPreset(name);
            if (!trouble.isEmpty())
                Q_EMIT messageRaised(trouble);
        });
    }
    if (m_presets->isEmpty()) {
        m_presets->addAction(tr("No presets found in %1").arg(QString::fromStdString(resourceFolder().string())))
            ->setEnabled(false);
    }
}

void ConfigurePage::showDocument() {
    const ParsedConfig& parsed = m_document.parsed();
    m_yaml->setText(m_document.text());
    m_yaml->setProblems(parsed.problems);
    m_form->setEnabled(m_document.isReadable());
    m_unreadable->setVisible(!m_document.isReadable());
    if (!m_document.isReadable()) {
        const ConfigProblem& problem = parsed.problems.front();
        m_unreadable->setText(tr("The YAML cannot be read. Line %1, column %2: %3 The form follows again when it can.")
                                  .arg(problem.line)
                                  .arg(problem.column)
                                  .arg(QString::fromStdString(problem.message)));
    } else {
        m_form->setParsed(parsed);
    }
    m_trouble->setText(parsed.isGood() ? QString() : troubleText(parsed.problems.front()));
    m_facts->setConfig(parsed);
    if (parsed.isGood())
        m_forecaster->setConfig(parsed.config);
}

QString ConfigurePage::runName() const {
    return m_name->text().trimmed();
}

void ConfigurePage::setRunName(const QString& name) {
    m_name->setText(name);
}

QString ConfigurePage::loadPreset(const QString& name) {
    for (const Preset& preset : presets())
        if (QString::fromStdString(preset.name) == name)
            return loadFile(QString::fromStdString(preset.path.string()));
    return tr("There is no preset %1.").arg(name);
}

QString ConfigurePage::loadFile(const QString& path) {
    const auto text = readFile(path.toStdString(), ErrorKind::Usage);
    if (!text)
        return QString::fromStdString(text.error().sentence());
    loadText(QString::fromStdString(*text), tr("Load %1").arg(path.section(QLatin1Char('/'), -1)));
    return {};
}

void ConfigurePage::loadText(const QString& text, const QString& what) {
    if (m_document.text().isEmpty() && m_document.history()->count() == 0)
        m_document.begin(text);
    else
        m_document.replace(text, what);
}

QString ConfigurePage::saveFile(const QString& path) const {
    const auto written = writeFile(path.toStdString(), m_document.text().toStdString());
    return written ? QString() : QString::fromStdString(written.error().sentence());
}

void ConfigurePage::showFirstProblem() {
    if (m_document.parsed().isGood())
        return;
    const ConfigProblem& problem = m_document.parsed().problems.front();
    std::string key = problem.key;
    while (!key.empty() && !m_form->row(key))
        key.resize(key.find_last_of('.') == std::string::npos ? 0 : key.find_last_of('.'));
    if (problem.line > 0)
        m_yaml->goTo(problem.line, problem.column);
    if (!key.empty() && m_document.isReadable())
        m_form->focusKey(key);
}

void ConfigurePage::find() {
    m_form->find();
}

void ConfigurePage::zoom(int steps) {
    m_yaml->zoom(steps);
}

void ConfigurePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_facts)
        followTheme();
}

void ConfigurePage::followTheme() {
    for (QLabel* trouble : {m_unreadable, m_trouble})
        theme::setInk(trouble, theme::toneColour(theme::Tone::Bad, palette()));
}

QJsonObject ConfigurePage::settings() const {
    return {{QStringLiteral("text"), m_document.text()},
            {QStringLiteral("name"), runName()},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())}};
}

void ConfigurePage::setSettings(const QJsonObject& settings) {
    const QString text = settings[QStringLiteral("text")].toString();
    if (!text.isEmpty())
        m_document.begin(text);
    m_name->setText(settings[QStringLiteral("name")].toString());
    m_splitter->restoreState(QByteArray::fromBase64(settings[QStringLiteral("splitter")].toString().toLatin1()));
}

} // namespace trainyard
