#pragma once

#include "core/base/Cancellation.h"
#include "core/data/Dataset.h"
#include "core/data/Inspection.h"

#include <functional>
#include <string>
#include <vector>

namespace trainyard {

/// One dataset of a configuration. A value.
struct OpenedSet {
    bool isForTraining = true;
    std::string name, format, path; ///< path: where it lies on this machine
    TaskKind task = TaskKind::Detection;
    std::int64_t samples = 0; ///< negative: endless
    std::vector<std::string> classes;
    std::vector<DataProblem> problems; ///< found while opening
};

/// A sample as the network gets it. A value; `sample.objects` are in pixels of `sample.image`.
struct SeenSample {
    Sample sample;
    std::vector<std::string> steps; ///< names of the transforms, in order
    int piece = 0, pieces = 1;      ///< which tile of the picture this is, of how many
};

/// The datasets of a configuration as a training opens them, to be looked at. Immutable: any thread may ask, several at
/// once. Nothing is ever written to the user's folders.
class OpenedData {
public:
    virtual ~OpenedData() = default;
    virtual const std::vector<OpenedSet>& sets() const = 0;
    /// What is known of a sample without decoding it.
    virtual SampleInfo info(std::size_t set, std::int64_t sample) const = 0;
    /// Decoded and upright; a Data error names a damaged file.
    virtual Result<Sample> picture(std::size_t set, std::int64_t sample) const = 0;
    /// The same words for the same pixels, others when the file has changed: what a cache may file a picture under.
    virtual std::string pictureKey(std::size_t set, std::int64_t sample) const = 0;
    /// As the network gets it in epoch `draw` (from 0): the transforms that the configuration asks for, with the random
    /// numbers of that epoch. Where pictures are cut into tiles, one after the other. Validation draws nothing.
    virtual Result<SeenSample> seen(std::size_t set, std::int64_t sample, std::int64_t draw) const = 0;
    /// Counts and distributions of a set; see Inspection.h.
    virtual Inspection inspect(std::size_t set, const InspectionOptions& options) const = 0;
};

} // namespace trainyard
