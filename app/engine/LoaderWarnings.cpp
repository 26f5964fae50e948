#include "app/engine/LoaderWarnings.h"

#include "core/base/Clock.h"

namespace trainyard {

std::function<void(const std::string&)> LoaderWarnings::box() {
    return [this](const std::string& sentence) {
        std::lock_guard lock(m_mutex);
        m_sentences.push_back(sentence);
    };
}

void LoaderWarnings::deliver(std::int64_t iteration) {
    std::vector<std::string> sentences;
    {
        std::lock_guard lock(m_mutex);
        sentences.swap(m_sentences);
    }
    for (const std::string& sentence : sentences)
        m_target.onEvent({EventKind::Warning, iteration, wallMicroseconds(), sentence});
}

} // namespace trainyard
