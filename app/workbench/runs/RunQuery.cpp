#include "app/workbench/runs/RunQuery.h"

#include "app/workbench/RunView.h"
#include "widgets/theme/StateLook.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

struct RunQueryText {
    Q_DECLARE_TR_FUNCTIONS(RunQuery)
};

const QStringList kNumbers = {QStringLiteral("loss"),       QStringLiteral("metric"), QStringLiteral("iteration"),
                              QStringLiteral("iterations"), QStringLiteral("time"),   QStringLiteral("run")};

/// Split at white space outside quotes; quotes are taken away.
QStringList wordsOf(const QString& text) {
    QStringList words;
    QString word;
    bool isQuoted = false;
    for (const QChar letter : text) {
        if (letter == QLatin1Char('"')) {
            isQuoted = !isQuoted;
        } else if (letter.isSpace() && !isQuoted) {
            if (!word.isEmpty())
                words << word;
            word.clear();
        } else {
            word += letter;
        }
    }
    return word.isEmpty() ? words : words << word;
}

std::optional<double> numberIn(const QString& text, bool isTime) {
    static const QRegularExpression kShape(QStringLiteral("^(.*?)(s|min|h|d)?$"));
    const auto match = kShape.match(text);
    const QString unit = isTime ? match.captured(2) : QString();
    bool isNumber = false;
    const double value = QLocale::c().toDouble(isTime ? match.captured(1) : text, &isNumber);
    if (!isNumber)
        return std::nullopt;
    return value * (unit == QLatin1String("min") ? 60
                    : unit == QLatin1String("h") ? 3600
                    : unit == QLatin1String("d") ? 86400
                                                 : 1);
}

bool compares(double left, const QString& comparison, double right) {
    if (comparison == QLatin1String("<"))
        return left < right;
    if (comparison == QLatin1String("<="))
        return left <= right;
    if (comparison == QLatin1String(">"))
        return left > right;
    if (comparison == QLatin1String(">="))
        return left >= right;
    return left == right;
}

/// The stretch of time that a date, "today" or "7d" stands for; invalid where it is none.
std::pair<QDateTime, QDateTime> stretchOf(const QString& text, const QDateTime& now) {
    static const QRegularExpression kDays(QStringLiteral("^(\\d+)d$"));
    if (text == QLatin1String("today"))
        return {now.date().startOfDay(), now.date().addDays(1).startOfDay()};
    if (const auto days = kDays.match(text); days.hasMatch())
        return {now.addDays(-days.captured(1).toInt()), now.addSecs(1)};
    const QDate day = QDate::fromString(text, Qt::ISODate);
    if (!day.isValid())
        return {};
    return {day.startOfDay(), day.addDays(1).startOfDay()};
}

std::optional<double> numberOf(const RunRecord& run, const QString& name) {
    if (name == QLatin1String("loss"))
        return run.iteration > 0 ? std::optional(run.loss) : std::nullopt;
    if (name == QLatin1String("metric"))
        return run.bestMetric;
    if (name == QLatin1String("iteration"))
        return double(run.iteration);
    if (name == QLatin1String("iterations"))
        return double(run.iterations);
    if (name == QLatin1String("run"))
        return double(run.id);
    return run.seconds;
}

bool contains(const std::string& text, const QString& word) {
    return QString::fromStdString(text).contains(word, Qt::CaseInsensitive);
}

} // namespace

RunQuery RunQuery::parse(const QString& text, const RunValues& values, const QDateTime& now) {
    static const QRegularExpression kTerm(QStringLiteral("^([A-Za-z][\\w./-]*)(<=|>=|<|>|=|:)(.*)$"));
    RunQuery query;
    for (QString word : wordsOf(text)) {
        Term term;
        if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
            term.isNegated = true;
            word.remove(0, 1);
        }
        const auto match = kTerm.match(word);
        term.text = word;
        if (match.hasMatch()) {
            term.name = match.captured(1);
            term.comparison = match.captured(2);
            term.text = match.captured(3);
        }
        QString problem = match.hasMatch() ? query.read(term, values, now) : QString();
        if (match.hasMatch() && term.about == About::Words)
            term.text = word; // a word with a colon in it
        if (problem.isEmpty())
            query.m_terms.push_back(term);
        else if (query.m_problem.isEmpty())
            query.m_problem = problem;
    }
    return query;
}

/// What the term's name means; a sentence where nothing comes of it.
QString RunQuery::read(Term& term, const RunValues& values, const QDateTime& now) const {
    static const std::map<QString, About> kTexts = {
        {QStringLiteral("name"), About::Name},   {QStringLiteral("state"), About::State},
        {QStringLiteral("model"), About::Model}, {QStringLiteral("tag"), About::Tag},
        {QStringLiteral("group"), About::Group}, {QStringLiteral("note"), About::Note}};
    if (const auto known = kTexts.find(term.name); known != kTexts.end()) {
        term.about = known->second;
        if (term.comparison != QLatin1String(":") && term.comparison != QLatin1String("="))
            return RunQueryText::tr("“%1” is text: write %1:… to look for it.").arg(term.name);
        return {};
    }
    if (term.name == QLatin1String("made")) {
        const auto [begin, end] = stretchOf(term.text, now);
        if (!begin.isValid())
            return RunQueryText::tr("“%1” is no date. Write 2025-11-30, today or 7d.").arg(term.text);
        term.about = About::Made;
        constexpr auto kEver = std::numeric_limits<std::int64_t>::max();
        const std::int64_t from = begin.toMSecsSinceEpoch() * 1000, to = end.toMSecsSinceEpoch() * 1000;
        const bool isEarlier = term.comparison.startsWith(QLatin1Char('<'));
        const bool isLater = term.comparison.startsWith(QLatin1Char('>'));
        const bool isIncluded = term.comparison.endsWith(QLatin1Char('='));
        term.from = isEarlier ? 0 : isLater && !isIncluded ? to : from;
        term.to = isLater ? kEver : isEarlier && !isIncluded ? from : to;
        return {};
    }
    const bool isNumber = kNumbers.contains(term.name);
    if (!isNumber && !values.knows(term.name)) {
        if (term.comparison == QLatin1String(":"))
            return {};
        return RunQueryText::tr("No metric and no key is called “%1”.").arg(term.name);
    }
    term.about = isNumber ? About::Number : About::Value;
    const auto number = numberIn(term.text, term.name == QLatin1String("time"));
    term.number = number.value_or(std::numeric_limits<double>::quiet_NaN());
    const bool isOrder = term.comparison.startsWith(QLatin1Char('<')) || term.comparison.startsWith(QLatin1Char('>'));
    if (!number && (isNumber || isOrder))
        return term.text.isEmpty() ? RunQueryText::tr("“%1%2” lacks its number.").arg(term.name, term.comparison)
                                   : RunQueryText::tr("“%1” is no number.").arg(term.text);
    return {};
}

bool RunQuery::holds(const Term& term, const RunRecord& run, const RunValues& values) {
    switch (term.about) {
    case About::Name:
        return contains(run.name, term.text);
    case About::State:
        return theme::stateLook(run.status).word.startsWith(term.text, Qt::CaseInsensitive) ||
               QString::fromLatin1(statusName(run.status)).startsWith(term.text, Qt::CaseInsensitive);
    case About::Model:
        return contains(run.modelType, term.text);
    case About::Tag:
        return std::any_of(run.tags.begin(), run.tags.end(), [&](const std::string& tag) {
            return QString::fromStdString(tag).compare(term.text, Qt::CaseInsensitive) == 0;
        });
    case About::Group:
        return QString::fromStdString(run.group).compare(term.text, Qt::CaseInsensitive) == 0;
    case About::Note:
        return contains(run.notes, term.text);
    case About::Made:
        return run.createdMicroseconds >= term.from && run.createdMicroseconds < term.to;
    case About::Number: {
        const auto number = numberOf(run, term.name);
        return number && compares(*number, term.comparison, term.number);
    }
    case About::Value: {
        const auto number = values.number(run.id, term.name);
        if (number)
            return compares(*number, term.comparison, term.number);
        const QString text = values.exactText(run.id, term.name);
        return !text.isEmpty() && text.contains(term.text, Qt::CaseInsensitive);
    }
    case About::Words:
        break;
    }
    return runTitle(run).contains(term.text, Qt::CaseInsensitive) ||
           theme::stateLook(run.status).word.contains(term.text, Qt::CaseInsensitive) ||
           contains(run.modelType, term.text) || contains(run.group, term.text) || contains(run.notes, term.text) ||
           std::any_of(run.tags.begin(), run.tags.end(),
                       [&](const std::string& tag) { return contains(tag, term.text); });
}

bool RunQuery::matches(const RunRecord& run, const RunValues& values) const {
    return std::all_of(m_terms.begin(), m_terms.end(),
                       [&](const Term& term) { return holds(term, run, values) != term.isNegated; });
}

bool RunQuery::needsConfigurations() const {
    return std::any_of(m_terms.begin(), m_terms.end(), [](const Term& term) {
        return term.about == About::Value && RunValues::isConfigurationKey(term.name);
    });
}

QString RunQuery::term(const QString& name, const QString& comparison, const QString& value) {
    const bool isQuoted = value.contains(QLatin1Char(' '));
    return name + comparison + (isQuoted ? QStringLiteral("\"%1\"").arg(value) : value);
}

} // namespace trainyard
