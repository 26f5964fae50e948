#pragma once

#include "core/data/WordWriter.h"

#include <fstream>
#include <unordered_set>

namespace trainyard {

/// Words as image files in `images/` and one label file beside that folder.
class FolderWriter final : public WordWriter {
public:
    enum class Labels { Text, Tabs, Commas, JsonLines, Mmocr, Icdar };

    /// `folder` exists. How the labels are written goes by their file's extension.
    static Result<std::unique_ptr<WordWriter>> make(const std::filesystem::path& folder, const std::string& labels);
    static Result<std::unique_ptr<WordWriter>> make(const std::filesystem::path& folder, const std::string& labels,
                                                    Labels kind);

    Result<void> add(const WordToWrite& word) override;
    Result<void> finish() override;

private:
    FolderWriter(std::filesystem::path folder, const std::string& labels, Labels kind)
        : m_folder(std::move(folder)), m_labels(m_folder / labels), m_kind(kind) {}
    std::string imageName(const WordToWrite& word);
    /// The word's line; empty where this kind of file cannot hold the transcript.
    std::string line(const std::string& image, const WordToWrite& word) const;
    Error writeFailure(const std::filesystem::path& path) const;

    std::filesystem::path m_folder, m_labels;
    Labels m_kind;
    std::ofstream m_out;
    std::unordered_set<std::string> m_names;
    std::int64_t m_count = 0;
};

} // namespace trainyard
