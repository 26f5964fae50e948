#include "core/data/WordWriter.h"

#include "core/data/FolderWriter.h"
#include "core/data/LmdbWriter.h"
#include "core/data/TfRecordWriter.h"

namespace trainyard {

bool canWriteWords(const std::string& format) {
    return format == "tfrecord" || isWrittenAsFolder(format);
}

bool isWrittenAsFolder(const std::string& format) {
    return format == "lmdb" || format == "folder+labels" || format == "icdar-words";
}

Result<std::unique_ptr<WordWriter>> makeWordWriter(const std::string& format, const std::filesystem::path& place,
                                                   const std::string& labels) {
    if (format == "lmdb")
        return LmdbWriter::make(place);
    if (format == "tfrecord")
        return TfRecordWriter::make(place);
    if (format == "icdar-words")
        return FolderWriter::make(place, "gt.txt", FolderWriter::Labels::Icdar);
    if (format == "folder+labels")
        return FolderWriter::make(place, labels);
    return Error{ErrorKind::Usage, "Words cannot be written as " + format + ".", "",
                 "Choose one of folder+labels, icdar-words, lmdb and tfrecord."};
}

} // namespace trainyard
