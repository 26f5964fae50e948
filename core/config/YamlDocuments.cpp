#include "core/config/YamlDocuments.h"

#include <sstream>
#include <yaml-cpp/eventhandler.h>

namespace trainyard {
namespace {

/// Hears where documents begin and nothing else.
class DocumentStarts final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

    YAML::Mark last;
};

bool isMarkedStart(const std::string& text, const YAML::Mark& mark) {
    const auto before = text.rfind("---", static_cast<std::size_t>(mark.pos));
    return before != std::string::npos && (before == 0 || text[before - 1] == '\n');
}

} // namespace

YAML::Node loadOneDocument(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentStarts starts;
    if (!parser.HandleNextDocument(starts))
        return YAML::Node();
    const auto first = starts.last.pos;
    if (parser.HandleNextDocument(starts)) {
        const bool isDocument = starts.last.pos > first && isMarkedStart(text, starts.last);
        throw YAML::ParserException(starts.last, isDocument
                                                     ? "a second document begins here, but a configuration is one"
                                                     : "this belongs to nothing before it");
    }
    return YAML::Load(text);
}

} // namespace trainyard
