#include "app/workbench/data/SampleIndex.h"

#include <QSet>

#include <algorithm>

namespace trainyard {

SampleIndex SampleIndex::of(const OpenedData& data, std::size_t set, std::int64_t count,
                            const std::function<bool()>& isCancelled) {
    constexpr std::int64_t kBetweenQuestions = 1024;
    SampleIndex index;
    index.m_entries.reserve(std::size_t(count));
    index.m_numbers.reserve(qsizetype(count));
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % kBetweenQuestions == 0 && isCancelled())
            break;
        const SampleInfo info = data.info(set, i);
        Entry entry{QString::fromStdString(info.id),
                    QString::fromStdString(info.transcript),
                    {},
                    int(info.objects.size()),
                    info.width,
                    info.height};
        for (const ObjectAnnotation& object : info.objects)
            if (std::find(entry.labels.begin(), entry.labels.end(), object.label) == entry.labels.end())
                entry.labels.push_back(object.label);
        index.m_numbers.insert(entry.id, i);
        index.m_entries.push_back(std::move(entry));
    }
    return index;
}

std::vector<std::int64_t> SampleIndex::filtered(const SampleFilter& filter, const QStringList& classes,
                                                const QSet<QString>& troubled) const {
    const QStringList words = filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto says = [&](const Entry& entry, const QString& word) {
        if (entry.id.contains(word, Qt::CaseInsensitive) || entry.transcript.contains(word, Qt::CaseInsensitive))
            return true;
        return std::any_of(entry.labels.begin(), entry.labels.end(), [&](int label) {
            return label >= 0 && label < classes.size() && classes[label].contains(word, Qt::CaseInsensitive);
        });
    };
    const auto isOfKind = [&](const Entry& entry) {
        switch (filter.kind) {
        case SampleFilter::WithProblems:
            return troubled.contains(entry.id);
        case SampleFilter::WithoutObjects:
            return entry.objects == 0;
        case SampleFilter::OfClass:
            return std::find(entry.labels.begin(), entry.labels.end(), filter.label) != entry.labels.end();
        case SampleFilter::All:
            break;
        }
        return true;
    };
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < size(); ++i)
        if (isOfKind(at(i)) &&
            std::all_of(words.begin(), words.end(), [&](const QString& word) { return says(at(i), word); }))
            numbers.push_back(i);
    return numbers;
}

} // namespace trainyard
