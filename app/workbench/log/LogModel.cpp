#include "app/workbench/log/LogModel.h"

#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QBrush>
#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <iterator>

namespace trainyard {
namespace {

constexpr std::size_t kMostProgramLines = 2000;

QString timeText(std::int64_t wallMicroseconds) {
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(wallMicroseconds / 1000);
    const QString time = QLocale().toString(when.time(), QStringLiteral("HH:mm:ss"));
    const bool isToday = when.date() == QDate::currentDate();
    return isToday ? time : QLocale().toString(when.date(), QStringLiteral("d MMM ")) + time;
}

bool isEarlier(const LogEntry& a, const LogEntry& b) {
    return a.wallMicroseconds < b.wallMicroseconds;
}

} // namespace

void LogModel::setRunEntries(const std::vector<LogEntry>& entries) {
    if (entries == m_run)
        return;
    m_run = entries;
    std::vector<LogEntry> all;
    std::merge(m_run.begin(), m_run.end(), m_program.begin(), m_program.end(), std::back_inserter(all), isEarlier);
    show(std::move(all));
}

void LogModel::add(const LogEntry& entry) {
    m_program.push_back(entry);
    if (m_program.size() > kMostProgramLines)
        m_program.erase(m_program.begin());
    std::vector<LogEntry> all;
    std::merge(m_run.begin(), m_run.end(), m_program.begin(), m_program.end(), std::back_inserter(all), isEarlier);
    show(std::move(all));
}

/// Lines that only came after the others are appended: the view stays where it is.
void LogModel::show(std::vector<LogEntry> entries) {
    const bool isLonger =
        entries.size() > m_entries.size() && std::equal(m_entries.begin(), m_entries.end(), entries.begin());
    if (isLonger) {
        beginInsertRows({}, int(m_entries.size()), int(entries.size()) - 1);
        m_entries = std::move(entries);
        endInsertRows();
        return;
    }
    if (entries == m_entries)
        return;
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_entries.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const LogEntry& entry = m_entries[std::size_t(index.row())];
    if (role == KindRole)
        return int(entry.kind);
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == Iteration ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() != Text && entry.kind != LogEntry::Kind::Warning &&
        entry.kind != LogEntry::Kind::Error)
        return QBrush(theme::dimText(QGuiApplication::palette()));
    if (role == Qt::ForegroundRole && index.column() == Kind)
        return QBrush(theme::toneColour(entry.kind == LogEntry::Kind::Error ? theme::Tone::Bad : theme::Tone::Warning,
                                        QGuiApplication::palette()));
    if (role == Qt::ToolTipRole && index.column() == Text)
        return entry.text;
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(index.column())) {
    case Time:
        return timeText(entry.wallMicroseconds);
    case Iteration:
        return entry.run == 0 ? QString() : theme::countText(entry.iteration);
    case Kind:
        return entry.run == 0 && entry.kind == LogEntry::Kind::Note ? tr("program") : kindText(entry.kind);
    case Text:
        return QString(entry.text).replace(QLatin1Char('\n'), QLatin1Char(' '));
    case ColumnCount:
        break;
    }
    return {};
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Iteration ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    static const QStringList names = {tr("Time"), tr("Iteration"), tr("What"), tr("Text")};
    return names.value(section);
}

void LogFilter::setWords(const QString& words) {
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void LogFilter::setChoice(Choice choice) {
    m_choice = choice;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex text = sourceModel()->index(row, LogModel::Text, parent);
    const auto kind = LogEntry::Kind(text.data(LogModel::KindRole).toInt());
    const bool isTrouble = kind == LogEntry::Kind::Warning || kind == LogEntry::Kind::Error;
    const bool isMilestone = kind == LogEntry::Kind::Checkpoint || kind == LogEntry::Kind::Evaluation;
    if ((m_choice == Trouble && !isTrouble) || (m_choice == Milestones && !isMilestone))
        return false;
    const QString line = text.siblingAtColumn(LogModel::Kind).data().toString() + QLatin1Char(' ') +
                         text.siblingAtColumn(LogModel::Iteration).data().toString() + QLatin1Char(' ') +
                         text.data().toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return line.contains(word, Qt::CaseInsensitive); });
}

} // namespace trainyard
