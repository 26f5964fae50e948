#include "widgets/forms/DatasetsEditor.h"

#include "core/config/Schema.h"
#include "widgets/theme/Icon.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kMostBatch = 1'000'000;

QStringList formats() {
    QStringList list;
    for (const auto& field : Schema::instance().datasetFields())
        if (field.key == "format")
            for (const std::string& choice : field.choices)
                list << QString::fromStdString(choice);
    if (list.isEmpty())
        list = {QStringLiteral("auto"), QStringLiteral("folder+labels"), QStringLiteral("icdar-words"),
                QStringLiteral("coco"), QStringLiteral("voc"),           QStringLiteral("rendered-words")};
    return list;
}

} // namespace

DatasetsEditor::DatasetsEditor(QWidget* parent) : QWidget(parent), m_lines(new QVBoxLayout(this)) {
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(theme::quarter(this));
    rebuild();
}

void DatasetsEditor::setEntries(const std::vector<DatasetConfig>& entries) {
    if (m_entries == entries)
        return;
    const bool sameLines = m_entries.size() == entries.size();
    m_entries = entries;
    if (!(m_isEditing && sameLines))
        rebuild();
}

void DatasetsEditor::rebuild() {
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // its own signal may have led here
        }
        delete item;
    }
    for (std::size_t at = 0; at < m_entries.size(); ++at)
        m_lines->addWidget(makeLine(at));
    auto* add = new QToolButton(this);
    add->setIcon(theme::icon(QStringLiteral("add")));
    add->setText(tr("Add Dataset"));
    add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add->setAutoRaise(true);
    connect(add, &QToolButton::clicked, this, [this] {
        auto entries = m_entries;
        entries.emplace_back();
        setEntries(entries);
        Q_EMIT edited(m_entries);
    });
    m_lines->addWidget(add, 0, Qt::AlignLeft);
}

QWidget* DatasetsEditor::makeLine(std::size_t at) {
    const DatasetConfig entry = m_entries[at];
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::quarter(this));
    const auto change = [this, at](auto&& edit) {
        m_isEditing = true;
        edit(m_entries[at]);
        Q_EMIT edited(m_entries);
        m_isEditing = false;
    };

    auto* format = new QComboBox(line);
    format->addItems(formats());
    format->setCurrentText(QString::fromStdString(entry.format));
    format->setToolTip(tr("What the files are like; auto finds it by looking"));
    format->setAccessibleName(tr("Format of dataset %1").arg(at + 1));
    format->setFocusPolicy(Qt::StrongFocus);
    format->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* path = new QLineEdit(QString::fromStdString(entry.path), line);
    path->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    path->setAccessibleName(tr("Path of dataset %1").arg(at + 1));
    path->setToolTip(QString::fromStdString(entry.path));
    auto* browseButton = new QToolButton(line);
    browseButton->setIcon(theme::icon(QStringLiteral("folder")));
    browseButton->setAutoRaise(true);
    browseButton->setToolTip(tr("Browse…"));
    browseButton->setAccessibleName(tr("Browse for the path of dataset %1").arg(at + 1));
    const auto showPath = [path, browseButton](const QString& name) {
        const bool isRendered = name == QLatin1String("rendered-words");
        path->setEnabled(!isRendered);
        browseButton->setEnabled(!isRendered);
        path->setPlaceholderText(isRendered ? tr("no folder needed") : tr("folder or file"));
    };
    showPath(format->currentText());
    auto* batch = new QSpinBox(line);
    batch->setRange(0, kMostBatch);
    batch->setSpecialValueText(tr("shared"));
    batch->setValue(int(std::clamp<std::int64_t>(entry.batchSize, 0, kMostBatch)));
    batch->setToolTip(tr("Samples of this dataset in every batch; 'shared' takes an even part of what is left"));
    batch->setAccessibleName(tr("Batch size of dataset %1").arg(at + 1));
    batch->setFocusPolicy(Qt::StrongFocus);
    batch->setMaximumWidth(fontMetrics().averageCharWidth() * 13);
    auto* remove = new QToolButton(line);
    remove->setIcon(theme::icon(QStringLiteral("close")));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove this dataset from the list"));
    remove->setAccessibleName(tr("Remove dataset %1").arg(at + 1));
    for (QWidget* widget : std::initializer_list<QWidget*>{format, path, batch})
        widget->installEventFilter(this);

    connect(format, &QComboBox::currentTextChanged, line, [change, showPath](const QString& text) {
        showPath(text);
        change([&](DatasetConfig& each) { each.format = text.toStdString(); });
    });
    connect(path, &QLineEdit::textEdited, line,
            [change](const QString& text) { change([&](DatasetConfig& each) { each.path = text.toStdString(); }); });
    connect(batch, &QSpinBox::valueChanged, line,
            [change](int value) { change([&](DatasetConfig& each) { each.batchSize = value; }); });
    connect(browseButton, &QToolButton::clicked, this, [this, at] { browse(at); });
    connect(remove, &QToolButton::clicked, this, [this, at] {
        auto entries = m_entries;
        entries.erase(entries.begin() + std::ptrdiff_t(at));
        setEntries(entries);
        Q_EMIT edited(m_entries);
    });
    row->addWidget(format);
    row->addWidget(path, 1);
    row->addWidget(browseButton);
    row->addWidget(batch);
    row->addWidget(remove);
    return line;
}

void DatasetsEditor::browse(std::size_t at) {
    auto* dialog = new QFileDialog(this, tr("Dataset"), QString::fromStdString(m_entries[at].path));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this, at](const QString& path) {
        if (at >= m_entries.size())
            return;
        auto entries = m_entries;
        entries[at].path = path.toStdString();
        setEntries(entries);
        Q_EMIT edited(m_entries);
    });
    dialog->open();
}

bool DatasetsEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn)
        Q_EMIT focused();
    if (event->type() == QEvent::Wheel && !qobject_cast<QLineEdit*>(watched) &&
        !static_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
