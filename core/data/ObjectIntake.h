#pragma once

#include "core/data/Dataset.h"

namespace trainyard {

/// What is done with the objects of an annotation file on their way in, as the `data.on_…` keys say: boxes without
/// area, boxes that leave the image by more than a pixel, duplicates; in training also what it cannot use: objects to
/// be ignored or too small, images without an object or with too few keypoints. All of it is noted in `problems`.
class ObjectIntake {
public:
    ObjectIntake(const DatasetConfig& entry, const DatasetContext& context, std::vector<DataProblem>& problems)
        : m_entry(entry), m_context(context), m_problems(problems) {}

    /// Adds `object` to `info.objects`, or does not. `file` is the annotation file, `id` the annotation's name in it
    /// where it has another than its number. A Data error where `data.on_…` says stop.
    Result<void> add(SampleInfo& info, ObjectAnnotation object, const std::string& file, const std::string& id = "");

    /// Counts an object that its file marks as one to ignore; true where it has to be left out.
    bool ignores();

    /// Whether this image is of use, all its objects being in. Ask once an image.
    bool keeps(const SampleInfo& info);

    /// Notes how many images and objects training cannot use. Last.
    void finish();

private:
    /// Where an annotation stands.
    struct Source {
        std::string sample, file, id;
    };
    /// Tells what is wrong with it and what is done about it; the Error instead where `rule`, the value of `key`, is
    /// "stop".
    Result<void> tell(const std::string& rule, const char* key, const Source& source, const Box& box,
                      const std::string& what, const char* done);
    // Each: whether the object may come in, perhaps mended.
    Result<bool> hasArea(const SampleInfo& info, ObjectAnnotation& object, const Source& source);
    Result<bool> isInside(const SampleInfo& info, ObjectAnnotation& object, const Source& source);
    Result<bool> isNew(const SampleInfo& info, ObjectAnnotation& object, const Source& source);

    const DatasetConfig& m_entry;
    const DatasetContext& m_context;
    std::vector<DataProblem>& m_problems;
    std::int64_t m_images = 0, m_withoutObject = 0, m_withFewKeypoints = 0; ///< of training
    std::int64_t m_ignored = 0, m_small = 0;
};

/// Whether the image has an object that counts: one that is no crowd.
bool hasObject(const SampleInfo& info);

} // namespace trainyard
