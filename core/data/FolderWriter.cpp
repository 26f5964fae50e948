#include "core/data/FolderWriter.h"

#include "core/data/ImageHeader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Labels = FolderWriter::Labels;

/// The text with `sign` before each of `marks`.
std::string marked(const std::string& text, const char* marks, char sign) {
    std::string result;
    for (const char c : text) {
        if (std::strchr(marks, c) && c != '\0')
            result += sign;
        result += c;
    }
    return result;
}

std::string jsonText(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Nothing for a word without a lexicon.
std::string lexiconMember(const std::vector<std::string>& lexicon) {
    if (lexicon.empty())
        return "";
    std::string list;
    for (const std::string& word : lexicon)
        list += (list.empty() ? "" : ", ") + jsonText(word);
    return fmt::format(", \"lexicon\": [{}]", list);
}

/// Letters, digits, and marks that no label file gives a meaning to.
bool isPlainName(const std::string& name) {
    return !name.empty() && name.size() < 200 && name[0] != '.' && name[0] != '-' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                      c == '-' || c == '.';
           });
}

} // namespace

Result<std::unique_ptr<WordWriter>> FolderWriter::make(const fs::path& folder, const std::string& labels) {
    const std::map<std::string, Labels> kinds{{".txt", Labels::Text},
                                              {".tsv", Labels::Tabs},
                                              {".csv", Labels::Commas},
                                              {".jsonl", Labels::JsonLines},
                                              {".json", Labels::Mmocr}};
    const auto kind = kinds.find(fs::path(labels).extension().string());
    if (kind == kinds.end() || fs::path(labels).filename().string() != labels)
        return Error{ErrorKind::Usage, "A label file is a name that ends in .tsv, .txt, .csv, .jsonl or .json.", labels,
                     "Name it labels.tsv, for one."};
    return make(folder, labels, kind->second);
}

Result<std::unique_ptr<WordWriter>> FolderWriter::make(const fs::path& folder, const std::string& labels, Labels kind) {
    auto writer = std::unique_ptr<FolderWriter>(new FolderWriter(folder, labels, kind));
    std::error_code failed;
    fs::create_directory(folder / "images", failed);
    writer->m_out.open(writer->m_labels, std::ios::binary);
    if (failed || !writer->m_out)
        return writer->writeFailure(writer->m_labels);
    if (kind == Labels::Commas)
        writer->m_out << "filename,words\n";
    if (kind == Labels::Mmocr)
        writer->m_out << "{\"metainfo\": {\"dataset_type\": \"TextRecogDataset\", \"task_name\": \"textrecog\"},\n"
                         " \"data_list\": [";
    return std::unique_ptr<WordWriter>(std::move(writer));
}

Error FolderWriter::writeFailure(const fs::path& path) const {
    return {ErrorKind::Damaged, fmt::format("The file cannot be written: {}.", std::strerror(errno)), path.string(),
            "Choose another place, or free some space."};
}

/// The image's own name where that is plain and new, else a number; the extension goes by what it is.
std::string FolderWriter::imageName(const WordToWrite& word) {
    const std::string extension = imageExtension(readImageHeader(word.image).kind);
    const auto isTaken = [&](std::string name) { // some file systems take A and a for the same
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        return !m_names.insert(name).second;
    };
    std::string name = fs::path(word.id).stem().string() + "." + extension;
    for (std::int64_t number = m_count; !isPlainName(name) || isTaken(name); ++number)
        name = fmt::format("{:09}.{}", number, extension);
    return name;
}

std::string FolderWriter::line(const std::string& image, const WordToWrite& word) const {
    const std::string& transcript = word.transcript;
    const bool hasLineEnd = transcript.find_first_of("\r\n") != std::string::npos;
    switch (m_kind) {
    case Labels::Text:
        return hasLineEnd ? "" : image + " " + transcript + "\n";
    case Labels::Tabs:
        return hasLineEnd ? "" : image + "\t" + transcript + "\n";
    case Labels::Commas:
        return image + ",\"" + marked(transcript, "\"", '"') + "\"\n";
    case Labels::JsonLines:
        return fmt::format("{{\"filename\": {}, \"text\": {}{}}}\n", jsonText(image), jsonText(transcript),
                           lexiconMember(word.lexicon));
    case Labels::Mmocr:
        return fmt::format("{}\n  {{\"img_path\": {}, \"instances\": [{{\"text\": {}}}]}}", m_count > 1 ? "," : "",
                           jsonText(image), jsonText(transcript));
    case Labels::Icdar:
        return hasLineEnd ? "" : image + ", \"" + marked(transcript, "\"\\", '\\') + "\"\n";
    }
    return "";
}

Result<void> FolderWriter::add(const WordToWrite& word) {
    ++m_count;
    const std::string name = imageName(word), text = line("images/" + name, word);
    if (text.empty())
        return Error{ErrorKind::Data,
                     fmt::format("The transcript of {} has a line end, which {} cannot hold.", word.id,
                                 m_labels.filename().string()),
                     m_labels.string(), "Write the labels as labels.jsonl."};
    std::ofstream image(m_folder / "images" / name, std::ios::binary);
    if (!image.write(word.image.data(), std::streamsize(word.image.size())).flush())
        return writeFailure(m_folder / "images" / name);
    if (!(m_out << text))
        return writeFailure(m_labels);
    return {};
}

Result<void> FolderWriter::finish() {
    if (m_kind == Labels::Mmocr)
        m_out << "\n ]}\n";
    m_out.close();
    if (!m_out)
        return writeFailure(m_labels);
    if (const int folder = ::open(m_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        ::syncfs(folder); // all files at once; a refusal leaves them to the system, as any program's are
        ::close(folder);
    }
    return {};
}

} // namespace trainyard
