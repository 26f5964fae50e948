#include "core/data/TfRecordWriter.h"

#include "core/data/Curve.h"
#include "core/data/ImageHeader.h"
#include "core/data/TfExample.h"
#include "core/data/TfRecordFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard {

Result<std::unique_ptr<WordWriter>> TfRecordWriter::make(const std::filesystem::path& path) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    return std::unique_ptr<WordWriter>(new TfRecordWriter(std::move(*file)));
}

Result<void> TfRecordWriter::add(const WordToWrite& word) {
    const ImageHeader header = readImageHeader(word.image);
    const int width = header.isTurned() ? header.height : header.width;
    const int height = header.isTurned() ? header.width : header.height;
    TfExampleWriter example;
    example.add("image/channels", std::int64_t(3));
    example.add("image/colorspace", "rgb");
    example.add("image/encoded", word.image);
    example.add("image/filename", word.id);
    example.add("image/format", imageExtension(header.kind) == "jpg" ? "jpeg" : imageExtension(header.kind));
    example.add("image/height", std::int64_t(height));
    if (const auto rows = withLowerHalfTurned(word.outline); !rows.empty()) {
        std::vector<float> numbers;
        for (const Point& point : rows)
            numbers.insert(numbers.end(), {point.x, point.y});
        example.add("image/keypoints", numbers);
    }
    if (!word.lexicon.empty())
        example.add("image/lexicon", fmt::format("{}", fmt::join(word.lexicon, "\t")));
    example.add("image/source_id", word.id);
    example.add("image/transcript", word.transcript);
    example.add("image/width", std::int64_t(width));
    return m_file.write(asTfRecord(example.message()));
}

} // namespace trainyard
