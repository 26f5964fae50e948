#pragma once

#include "app/workbench/engine/OpenedData.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace trainyard {

/// Which samples the gallery shows.
struct SampleFilter {
    enum Kind { All, WithProblems, WithoutObjects, OfClass };
    QString words; ///< each must occur in a sample's name, transcript or classes
    Kind kind = All;
    int label = 0; ///< of OfClass
    bool operator==(const SampleFilter&) const = default;
};

/// What samples are found by, read once from a set: names, transcripts, classes. Immutable once it is filled; any
/// thread.
class SampleIndex {
public:
    struct Entry {
        QString id, transcript;
        std::vector<int> labels; ///< of its objects, each once
        int objects = 0;
        int width = 0, height = 0; ///< of the file; 0 until it is decoded
    };

    /// Reads `count` samples; with fewer where `isCancelled` says so.
    static SampleIndex of(const OpenedData& data, std::size_t set, std::int64_t count,
                          const std::function<bool()>& isCancelled);

    std::int64_t size() const { return std::int64_t(m_entries.size()); }
    const Entry& at(std::int64_t sample) const { return m_entries.at(std::size_t(sample)); }
    /// -1: there is none of that name.
    std::int64_t find(const QString& id) const { return m_numbers.value(id, -1); }
    /// Numbers of those that pass, rising. `troubled`: names of samples with problems.
    std::vector<std::int64_t> filtered(const SampleFilter& filter, const QStringList& classes,
                                       const QSet<QString>& troubled) const;

private:
    std::vector<Entry> m_entries;
    QHash<QString, std::int64_t> m_numbers;
};

} // namespace trainyard
