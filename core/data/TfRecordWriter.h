#pragma once

#include "core/base/AtomicFile.h"
#include "core/data/WordWriter.h"

namespace trainyard {

/// Words as tf.train.Example records with the features that the ASTER trainer reads.
class TfRecordWriter final : public WordWriter {
public:
    static Result<std::unique_ptr<WordWriter>> make(const std::filesystem::path& path);

    Result<void> add(const WordToWrite& word) override;
    Result<void> finish() override { return m_file.commit(); }

private:
    explicit TfRecordWriter(AtomicFile file) : m_file(std::move(file)) {}

    AtomicFile m_file;
};

} // namespace trainyard
