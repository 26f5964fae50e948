#include "app/engine/ClassView.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace trainyard {

Result<std::shared_ptr<const Dataset>> ClassView::make(std::shared_ptr<const Dataset> dataset,
                                                       std::vector<std::string> classes) {
    if (dataset->classes() == classes)
        return dataset;
    std::vector<int> labels;
    std::vector<std::string> unknown;
    for (const std::string& name : dataset->classes()) {
        const auto found = std::find(classes.begin(), classes.end(), name);
        labels.push_back(found == classes.end() ? -1 : int(found - classes.begin()));
        if (found == classes.end())
            unknown.push_back(name);
    }
    if (!labels.empty() && unknown.size() == labels.size())
        return Error{ErrorKind::Data,
                     fmt::format("None of its classes ({}) is one of the model's ({}).", fmt::join(unknown, ", "),
                                 fmt::join(classes, ", ")),
                     dataset->name(), "Map its classes with data.classes."};
    std::shared_ptr<ClassView> view(new ClassView(std::move(dataset), std::move(classes), std::move(labels)));
    if (!unknown.empty())
        view->m_problems.push_back({DataProblem::Severity::Warning, "",
                                    fmt::format("Objects of classes that the model does not have are left out: {}.",
                                                fmt::join(unknown, ", "))});
    return std::shared_ptr<const Dataset>(std::move(view));
}

std::vector<std::int64_t> ClassView::categoryIds() const {
    const auto ids = m_whole->categoryIds();
    if (ids.empty())
        return ids;
    const std::int64_t highest = *std::max_element(ids.begin(), ids.end());
    std::vector<std::int64_t> mapped(m_classes.size());
    for (std::size_t i = 0; i < mapped.size(); ++i)
        mapped[i] = highest + 1 + std::int64_t(i); // for a class that the file lacks: an id that it does not use
    for (std::size_t i = 0; i < std::min(ids.size(), m_labels.size()); ++i)
        if (m_labels[i] >= 0)
            mapped[std::size_t(m_labels[i])] = ids[i];
    return mapped;
}

void ClassView::relabel(std::vector<ObjectAnnotation>& objects) const {
    for (ObjectAnnotation& object : objects)
        object.label = m_labels.at(std::size_t(object.label));
    std::erase_if(objects, [](const ObjectAnnotation& object) { return object.label < 0; });
}

SampleInfo ClassView::info(std::int64_t index) const {
    SampleInfo info = m_whole->info(index);
    relabel(info.objects);
    return info;
}

Result<Sample> ClassView::sample(std::int64_t index) const {
    auto sample = m_whole->sample(index);
    if (sample) {
        relabel(sample->objects);
        relabel(sample->info.objects);
    }
    return sample;
}

} // namespace trainyard
