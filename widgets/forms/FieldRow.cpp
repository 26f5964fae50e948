#include "widgets/forms/FieldRow.h"

#include "core/config/ConfigFile.h"
#include "core/config/ValueText.h"
#include "widgets/forms/DatasetsEditor.h"
#include "widgets/forms/YamlText.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {
namespace {

bool isList(FieldType type) {
    return type == FieldType::IntegerList || type == FieldType::RealList || type == FieldType::TextList;
}

/// A value as it stands in a line editor: texts without quotes, lists without brackets.
QString editText(const FieldValue& value, FieldType type) {
    if (const auto* text = std::get_if<std::string>(&value))
        return QString::fromStdString(*text);
    QString text = QString::fromStdString(toText(value));
    if (isList(type) || type == FieldType::TextMap)
        text = text.mid(1, text.size() - 2);
    return text;
}

} // namespace

QString readableName(const std::string& key) {
    const auto dot = key.rfind('.');
    QString name = QString::fromStdString(dot == std::string::npos ? key : key.substr(dot + 1));
    name.replace(QLatin1Char('_'), QLatin1Char(' '));
    name[0] = name[0].toUpper();
    for (const auto& [word, better] : {std::pair(" lr", " LR"), {" iou", " IoU"}, {"Nms ", "NMS "}, {"Fpn ", "FPN "}})
        name.replace(QLatin1String(word), QLatin1String(better));
    return name;
}

FieldRow::FieldRow(const Field& field, QWidget* parent)
    : QWidget(parent), m_field(field), m_name(new QLabel(readableName(field.key), this)), m_unit(new QLabel(this)),
      m_reset(new QToolButton(this)), m_problem(new QLabel(this)) {
    const int quarter = theme::quarter(this);
    m_editor = makeEditor();
    m_name->setBuddy(m_editor);
    m_editor->setAccessibleName(m_name->text());
    const QString help = QCoreApplication::translate("Schema", field.help.c_str());
    m_editor->setAccessibleDescription(help);
    const QString tip =
        QStringLiteral("<p><b>%1</b><br>%2</p>").arg(QString::fromStdString(field.key), help.toHtmlEscaped());
    m_name->setToolTip(tip);
    m_editor->setToolTip(tip);
    m_reset->setIcon(theme::icon(QStringLiteral("reset")));
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::NoFocus);
    m_reset->setToolTip(tr("Back to the default, %1").arg(QString::fromStdString(toText(field.defaultValue))));
    m_reset->setAccessibleName(tr("Reset %1").arg(m_name->text()));
    QSizePolicy keepsRoom = m_reset->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(keepsRoom);
    m_problem->setWordWrap(true);
    m_problem->hide();

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, quarter);
    grid->setHorizontalSpacing(2 * quarter);
    grid->setVerticalSpacing(quarter / 2);
    m_name->setFixedWidth(fontMetrics().averageCharWidth() * 24);
    const bool isWide = field.type == FieldType::Datasets;
    grid->addWidget(m_name, 0, 0, isWide ? Qt::AlignTop : Qt::AlignVCenter);
    grid->addWidget(m_editor, 0, 1, 1, isWide ? 2 : 1);
    if (!isWide) {
        m_unit->setFixedWidth(fontMetrics().averageCharWidth() * 21);
        grid->addWidget(m_unit, 0, 2);
    } else {
        m_unit->hide();
    }
    grid->addWidget(m_reset, 0, 3, isWide ? Qt::AlignTop : Qt::AlignVCenter);
    grid->addWidget(m_problem, 1, 1, 1, 3);
    grid->setColumnStretch(1, 1);
    connect(m_reset, &QToolButton::clicked, this, [this] { Q_EMIT resetAsked(QString::fromStdString(m_field.key)); });
    setValue(field.defaultValue);
    followTheme();
}

QWidget* FieldRow::makeEditor() {
    const QString key = QString::fromStdString(m_field.key);
    if (m_field.type == FieldType::Datasets) {
        auto* editor = new DatasetsEditor(this);
        connect(editor, &DatasetsEditor::edited, this, [this, key](const std::vector<DatasetConfig>& entries) {
            Q_EMIT edited(key, QString::fromStdString(yaml::valueText(entries)));
        });
        connect(editor, &DatasetsEditor::focused, this, [this, key] { Q_EMIT focused(key); });
        return editor;
    }
    if (m_field.type == FieldType::Boolean) {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::toggled, this, [this, key, box](bool isOn) {
            box->setText(isOn ? tr("yes") : tr("no"));
            if (!m_isSetting)
                Q_EMIT edited(key, isOn ? QStringLiteral("true") : QStringLiteral("false"));
        });
        box->setText(tr("no"));
        box->installEventFilter(this);
        return box;
    }
    if (!m_field.choices.empty() && m_field.type == FieldType::Text) {
        auto* choice = new QComboBox(this);
        for (const std::string& each : m_field.choices)
            choice->addItem(QString::fromStdString(each));
        choice->installEventFilter(this);
        choice->setFocusPolicy(Qt::StrongFocus); // a wheel that scrolls the page must not change it
        connect(choice, &QComboBox::currentTextChanged, this, [this, key](const QString& text) {
            if (!m_isSetting)
                Q_EMIT edited(key, typedText(text));
        });
        return choice;
    }
    auto* line = new QLineEdit(this);
    line->installEventFilter(this);
    if (isList(m_field.type))
        line->setPlaceholderText(tr("a, b, …"));
    if (m_field.type == FieldType::TextMap)
        line->setPlaceholderText(tr("name: other name, …"));
    connect(line, &QLineEdit::textEdited, this,
            [this, key](const QString& text) { Q_EMIT edited(key, typedText(text)); });
    return line;
}

/// What was typed as one line of YAML; what makes no sense is quoted, so that the validator can speak about it.
QString FieldRow::typedText(const QString& text) const {
    const std::string plain = text.trimmed().toStdString();
    if (m_field.type == FieldType::Text)
        return QString::fromStdString(yamlQuoted(text.toStdString()));
    if (plain.empty() && !isList(m_field.type) && m_field.type != FieldType::TextMap)
        return QStringLiteral("\"\"");
    const std::string value = isList(m_field.type)                 ? "[" + plain + "]"
                              : m_field.type == FieldType::TextMap ? "{" + plain + "}"
                                                                   : plain;
    const auto parsed = parseConfig("x: " + value + "\n", {});
    const bool isReadable = !(parsed.problems.size() == 1 && parsed.problems.front().key.empty());
    return QString::fromStdString(isReadable ? value : yamlQuoted(plain));
}

void FieldRow::setValue(const FieldValue& value) {
    m_isSetting = true;
    const QString text = editText(value, m_field.type);
    if (auto* datasets = qobject_cast<DatasetsEditor*>(m_editor)) {
        datasets->setEntries(std::get<std::vector<DatasetConfig>>(value));
    } else if (auto* box = qobject_cast<QCheckBox*>(m_editor)) {
        box->setChecked(std::get<bool>(value));
    } else if (auto* choice = qobject_cast<QComboBox*>(m_editor)) {
        if (choice->findText(text) < 0)
            choice->addItem(text);
        choice->setCurrentText(text);
    } else if (auto* line = qobject_cast<QLineEdit*>(m_editor); line->text() != text) {
        // while one types "0.010" the value is 0.01: the text stays as typed
        const bool isTyping =
            line->hasFocus() && typedText(line->text()).toStdString() != toText(value) &&
            parseConfig(yaml::withKey({}, m_field.key, typedText(line->text()).toStdString()), {}).isGood() &&
            m_field.read(
                parseConfig(yaml::withKey({}, m_field.key, typedText(line->text()).toStdString()), {}).config) == value;
        if (!isTyping) {
            const int caret = line->cursorPosition();
            line->setText(text);
            line->setCursorPosition(line->hasFocus() ? std::min(caret, int(text.size())) : 0);
        }
    }
    m_isSetting = false;
    const bool isChanged = value != m_field.defaultValue;
    m_reset->setVisible(isChanged);
    if (std::exchange(m_isChanged, isChanged) != isChanged)
        followTheme(); // fonts and palettes cost more than all the rest
}

void FieldRow::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString FieldRow::problem() const {
    return m_problem->text();
}

bool FieldRow::matches(const QStringList& words) const {
    const QString all = QString::fromStdString(m_field.key) + QLatin1Char(' ') + m_name->text() + QLatin1Char(' ') +
                        QCoreApplication::translate("Schema", m_field.help.c_str());
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

void FieldRow::step(int by) {
    auto* line = qobject_cast<QLineEdit*>(m_editor);
    bool isNumber = false;
    const double value = line->text().toDouble(&isNumber);
    if (!isNumber)
        return;
    FieldValue next;
    if (m_field.type == FieldType::Integer) {
        next = std::int64_t(value) + by;
    } else {
        const double place = value == 0 ? 0.1 : std::pow(10.0, std::floor(std::log10(std::abs(value)) - 1e-9));
        next = std::round((value + by * place) / place) * place;
    }
    if (m_field.objection(next))
        return;
    const QString text = QString::fromStdString(toText(next));
    line->setText(text);
    Q_EMIT edited(QString::fromStdString(m_field.key), text);
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
    const bool isNumber = m_field.type == FieldType::Integer || m_field.type == FieldType::Real;
    switch (event->type()) {
    case QEvent::FocusIn:
        Q_EMIT focused(QString::fromStdString(m_field.key));
        break;
    case QEvent::Wheel:
        if (qobject_cast<QComboBox*>(watched) && !static_cast<QWidget*>(watched)->hasFocus()) {
            event->ignore();
            return true;
        }
        break;
    case QEvent::ShortcutOverride: {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the document's history has every edit
            return true;
        }
        break;
    }
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (isNumber && (key == Qt::Key_Up || key == Qt::Key_Down)) {
            step(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void FieldRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_problem)
        followTheme();
}

void FieldRow::followTheme() {
    QFont strong = font();
    strong.setWeight(m_isChanged ? QFont::DemiBold : QFont::Normal);
    m_name->setFont(strong);
    theme::setInk(m_unit, theme::dimText(palette()));
    QString unit = QString::fromStdString(m_field.unit);
    if (m_isChanged && m_field.type != FieldType::TextMap && m_field.type != FieldType::TextList) {
        const QString normal = tr("default %1").arg(QString::fromStdString(toText(m_field.defaultValue)));
        unit = unit.isEmpty() ? normal : QStringLiteral("%1 · %2").arg(unit, normal);
    }
    m_unit->setText(m_unit->fontMetrics().elidedText(unit, Qt::ElideRight, fontMetrics().averageCharWidth() * 21));
    theme::setInk(m_problem, theme::toneColour(theme::Tone::Bad, palette()));
}

} // namespace trainyard
