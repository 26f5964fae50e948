#pragma once

#include <QImage>
#include <QRect>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace trainyard {

/// What one evaluation said of its first samples, as the run's folder keeps it (pictures/iteration-…). A value.
struct SamplePictures {
    struct Sample {
        QRect place; ///< on the sheet
        QString name;
        QString truth, said; ///< of a recogniser; of a detector, how many objects there are and were found
        double score = 0;
        bool isRight = true;
        bool isReading = false; ///< else objects
    };
    std::int64_t iteration = 0;
    QImage sheet;
    std::vector<Sample> samples; ///< a sheet without a list is one sample
};

/// Iterations of the evaluations that left pictures, oldest first. Reads a folder: not on the UI thread.
std::vector<std::int64_t> pictureIterations(const std::filesystem::path& runFolder);

/// Nothing where the sheet is gone or damaged. Not on the UI thread.
std::optional<SamplePictures> readPictures(const std::filesystem::path& runFolder, std::int64_t iteration);

/// "reads “hous”, is “house”" – of a sample, for tips and captions.
QString verdict(const SamplePictures::Sample& sample);

} // namespace trainyard
