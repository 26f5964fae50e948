#pragma once

#include "app/workbench/monitor/SeriesFollower.h"

#include <map>

namespace trainyard {

/// Reads what a request asks for; the part of SeriesFollower that knows no threads. One thread at a time.
class SeriesReading final {
public:
    void setRequest(const SeriesRequest& request);
    /// Whether anything changed since the last `read`; opens readers that could not be opened before.
    bool hasNews();
    std::shared_ptr<const SeriesSnapshot> read();
    /// Empty when all went well, else the sentence that says what did not.
    std::string exportCsv(const std::string& path, const std::vector<std::string>& names, std::int64_t from,
                          std::int64_t to);

private:
    struct Source {
        SeriesRequest::Source source;
        std::unique_ptr<SeriesReader> reader;
        std::string trouble;
        std::int64_t version = -1;
        std::map<std::int64_t, std::pair<double, double>>
            updates; ///< by iteration: median and largest update to weight
    };
    void readRun(Source& source, SeriesSnapshot::Run& run, std::int64_t from, std::int64_t to, int columns) const;
    void readUpdates(Source& source, SeriesSnapshot::Run& run, std::int64_t from, std::int64_t to) const;

    SeriesRequest m_request;
    std::vector<Source> m_sources;
    bool m_isNew = true;
};

} // namespace trainyard
