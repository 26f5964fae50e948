#include "core/outputs/TraceText.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <set>

namespace trainyard {

std::string traceText(const ProfileReport& profile) {
    using Json = nlohmann::ordered_json;
    Json events = Json::array();
    events.push_back({{"name", "process_name"},
                      {"ph", "M"},
                      {"pid", 1},
                      {"args", {{"name", fmt::format("iteration {}", profile.iteration)}}}});
    std::set<std::int64_t> threads;
    for (const OperatorSpan& span : profile.spans)
        if (threads.insert(span.thread).second)
            events.push_back({{"name", "thread_name"},
                              {"ph", "M"},
                              {"pid", 1},
                              {"tid", span.thread},
                              {"args", {{"name", fmt::format("thread {}", span.thread)}}}});
    for (const OperatorSpan& span : profile.spans)
        events.push_back({{"name", span.name},
                          {"cat", "operator"},
                          {"ph", "X"},
                          {"ts", span.startMicroseconds},
                          {"dur", span.microseconds},
                          {"pid", 1},
                          {"tid", span.thread},
                          {"args", {{"shapes", span.shapes}}}});
    const Json trace = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace trainyard
