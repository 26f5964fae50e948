#include "widgets/forms/ConfigForm.h"

#include "widgets/forms/FieldRow.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {
namespace {

std::string sectionOf(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

QString titleOf(const std::string& section) {
    if (section.empty())
        return ConfigForm::tr("Run");
    if (section == "model.crnn")
        return QStringLiteral("CRNN");
    if (section == "model.aster")
        return QStringLiteral("ASTER");
    if (section == "model.retinanet")
        return QStringLiteral("RetinaNet");
    return readableName(section);
}

} // namespace

ConfigForm::ConfigForm(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit(this)), m_groupList(new QListWidget(this)),
      m_scroll(new QScrollArea(this)), m_help(new QLabel(this)) {
    const int quarter = theme::quarter(this);
    m_search->setPlaceholderText(tr("Search keys and help"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setAccessibleName(tr("Search of keys"));
    theme::tintSelection(m_groupList);
    m_groupList->setFrameShape(QFrame::NoFrame);
    m_groupList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_groupList->setAccessibleName(tr("Groups of fields"));
    m_groupList->setSpacing(quarter / 2);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setBackgroundRole(QPalette::Base);
    m_help->setWordWrap(true);
    m_help->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_help->setTextFormat(Qt::RichText);
    m_help->setMinimumHeight(fontMetrics().lineSpacing() * 2 + 2 * quarter);
    m_help->setContentsMargins(3 * quarter, quarter, 3 * quarter, quarter);

    auto* content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    makeRows(content);
    m_scroll->setWidget(content);
    content->installEventFilter(this);

    auto* left = new QVBoxLayout;
    left->setSpacing(2 * quarter);
    left->addWidget(m_groupList, 1);
    m_groupList->setFixedWidth(m_groupList->sizeHintForColumn(0) + 8 * quarter);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(2 * quarter);
    middle->addWidget(m_search);
    middle->addWidget(m_scroll, 1);
    middle->addWidget(m_help);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(2 * quarter, 2 * quarter, 0, 0);
    columns->setSpacing(2 * quarter);
    columns->addLayout(left);
    columns->addLayout(middle, 1);

    connect(m_search, &QLineEdit::textChanged, this, &ConfigForm::filter);
    connect(m_groupList, &QListWidget::itemClicked, this, [this] {
        const int at = m_groupList->currentRow();
        if (at >= 0)
            m_scroll->verticalScrollBar()->setValue(m_groups[std::size_t(at)].title->y() - theme::quarter(this));
    });
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, &ConfigForm::followScroll);
    m_groupList->setCurrentRow(0);
    showHelp({});
}

void ConfigForm::makeRows(QWidget* content) {
    const int quarter = theme::quarter(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(quarter, 0, 3 * quarter, 4 * quarter);
    column->setSpacing(0);
    QFont heading = font();
    heading.setPointSizeF(heading.pointSizeF() * 1.15);
    heading.setWeight(QFont::DemiBold);
    for (const Field& field : Schema::instance().fields()) {
        const std::string section = sectionOf(field.key);
        auto group =
            std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& each) { return each.section == section; });
        if (group == m_groups.end()) {
            auto* title = new QLabel(titleOf(section), content);
            title->setFont(heading);
            title->setContentsMargins(0, m_groups.empty() ? quarter : 4 * quarter, 0, 2 * quarter);
            m_groups.push_back({section, title, {}});
            m_groupList->addItem(title->text());
            group = std::prev(m_groups.end());
        }
        auto* row = new FieldRow(field, content);
        connect(row, &FieldRow::edited, this, &ConfigForm::edited);
        connect(row, &FieldRow::resetAsked, this, &ConfigForm::resetAsked);
        connect(row, &FieldRow::focused, this, &ConfigForm::showHelp);
        group->rows.push_back(row);
        m_rows[field.key] = row;
    }
    for (const Group& group : m_groups) {
        column->addWidget(group.title);
        for (FieldRow* row : group.rows)
            column->addWidget(row);
    }
    column->addStretch(1);
}

void ConfigForm::setParsed(const ParsedConfig& parsed) {
    std::map<std::string, QString> problems;
    for (const ConfigProblem& problem : parsed.problems) {
        std::string key = problem.key; // "data.train.0.path" belongs to the row data.train
        while (!key.empty() && !m_rows.contains(key))
            key = sectionOf(key);
        QString& text = problems[key];
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + QString::fromStdString(problem.message);
    }
    for (const auto& [key, row] : m_rows) {
        const auto problem = problems.find(key);
        const bool isWrong = problem != problems.end();
        if (!isWrong || !row->editor()->hasFocus())
            row->setValue(row->field().read(parsed.config));
        row->setProblem(isWrong ? problem->second : QString());
    }
    if (m_modelType != parsed.config.model.type) {
        m_modelType = parsed.config.model.type;
        filter();
    }
}

FieldRow* ConfigForm::row(const std::string& key) const {
    const auto at = m_rows.find(key);
    return at == m_rows.end() ? nullptr : at->second;
}

void ConfigForm::filter() {
    const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t at = 0; at < m_groups.size(); ++at) {
        const Group& group = m_groups[at];
        // sections of the other models are found by searching only
        const bool isOtherModel = group.section.starts_with("model.") && group.section != "model." + m_modelType;
        bool isAny = false;
        for (FieldRow* row : group.rows) {
            const bool isShown = words.isEmpty() ? !isOtherModel : row->matches(words);
            row->setVisible(isShown);
            isAny = isAny || isShown;
        }
        group.title->setVisible(isAny);
        m_groupList->item(int(at))->setHidden(!isAny);
    }
}

void ConfigForm::followScroll() {
    const int top = m_scroll->verticalScrollBar()->value() + 4 * theme::quarter(this);
    int current = 0;
    for (std::size_t at = 0; at < m_groups.size(); ++at)
        if (m_groups[at].title->isVisibleTo(this) && m_groups[at].title->y() <= top)
            current = int(at);
    m_groupList->setCurrentRow(current);
}

void ConfigForm::focusKey(const std::string& key) {
    FieldRow* target = row(key);
    if (!target)
        return;
    if (!target->isVisibleTo(this))
        m_search->setText(
            QString::fromStdString(key.substr(key.rfind('.') + 1)).replace(QLatin1Char('_'), QLatin1Char(' ')));
    m_scroll->ensureWidgetVisible(target, 0, m_scroll->height() / 3);
    target->editor()->setFocus(Qt::OtherFocusReason);
    showHelp(QString::fromStdString(key));
}

void ConfigForm::find() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool ConfigForm::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest && watched == m_scroll->widget()) // datasets come and go: none is cut
        m_scroll->setMinimumWidth(m_scroll->widget()->minimumSizeHint().width() +
                                  m_scroll->verticalScrollBar()->sizeHint().width());
    return QWidget::eventFilter(watched, event);
}

void ConfigForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        theme::tintSelection(m_groupList);
}

void ConfigForm::showHelp(const QString& key) {
    const Field* field = Schema::instance().find(key.toStdString());
    QString text = tr("What a field means appears here.");
    if (field) {
        QStringList facts = {QString::fromStdString(field->allowed()), QString::fromLatin1(changeText(field->change))};
        if (!field->unit.empty())
            facts.prepend(QString::fromStdString(field->unit));
        text = QStringLiteral("<b>%1</b> — %2 <span style='color:%4'>%3</span>")
                   .arg(key, QCoreApplication::translate("Schema", field->help.c_str()).toHtmlEscaped(),
                        facts.join(QStringLiteral("; ")).toHtmlEscaped(), theme::dimText(palette()).name());
    } else {
        text = QStringLiteral("<span style='color:%2'>%1</span>").arg(text, theme::dimText(palette()).name());
    }
    m_help->setText(text);
}

} // namespace trainyard
