#include "core/outputs/EventOutput.h"

#include "core/base/Clock.h"
#include "core/data/Dataset.h"
#include "core/outputs/EventMessages.h"
#include "core/outputs/GraphDefinition.h"

namespace trainyard {
namespace {

void addStep(events::Summary& summary, const StepReport& step, double regularisation) {
    for (const auto& [name, value] : step.losses)
        summary.addScalar("losses/" + name, value);
    for (const auto& [name, value] : step.metrics)
        summary.addScalar("metrics/" + name, value);
    summary.addScalar("TotalLoss", step.loss + regularisation);
    summary.addScalar("clone_loss", step.loss);
    summary.addScalar("regularization_loss", regularisation);
    summary.addScalar("LearningRate", step.learningRate);
    summary.addScalar("gradient_norm", step.gradientNorm);
    if (step.queueCapacity > 0)
        summary.addScalar("queue/fraction_full", double(step.queueFill) / step.queueCapacity);
    summary.addScalar("memory", double(step.memoryBytes));
}

void addStatistics(events::Summary& summary, const StatisticsReport& report) {
    for (const ParameterReport& parameter : report.parameters) {
        if (parameter.gradient.count == 0)
            continue; // frozen, or without a part in this iteration
        summary.addHistogram(parameter.name, events::histogramOf(parameter.weight));
        summary.addHistogram("grad/" + parameter.name, events::histogramOf(parameter.gradient));
    }
}

} // namespace

void EventOutput::post(std::function<std::string(double)> make) {
    const double now = double(wallMicroseconds()) / 1e6;
    m_thread.post([file = m_file, folder = m_folder, now, make = std::move(make)]() -> Result<void> {
        if (!*file) {
            auto created = EventFile::create(folder);
            if (!created)
                return created.error();
            file->emplace(std::move(*created));
        }
        return (*file)->append(make(now));
    });
}

void EventOutput::onStatistics(const StatisticsReport& report) {
    const double seconds = steadySeconds();
    const double rate = m_summarisedIteration > 0 && seconds > m_summarisedSeconds
                            ? double(report.iteration - m_summarisedIteration) / (seconds - m_summarisedSeconds)
                            : 0.0;
    m_summarisedSeconds = seconds;
    m_summarisedIteration = report.iteration;
    post([step = m_step, report, rate](double now) {
        events::Summary summary;
        if (step && step->iteration == report.iteration)
            addStep(summary, *step, report.regularisation);
        if (rate > 0)
            summary.addScalar("global_step/sec", rate);
        addStatistics(summary, report);
        return events::summaryEvent(now, report.iteration, summary);
    });
}

void EventOutput::onEvaluation(const EvaluationReport& report) {
    post([report](double now) {
        events::Summary summary;
        for (const auto& [name, value] : report.metrics)
            if (!(value < 0)) // there was something to measure
                summary.addScalar("evaluation/" + name, value);
        return events::summaryEvent(now, report.iteration, summary);
    });
}

void EventOutput::onPictures(const PictureReport& report) {
    post([report](double now) {
        events::Summary summary;
        for (const NamedPicture& picture : report.pictures)
            if (const auto png =
                    encodeImage(Image{picture.width, picture.height, picture.channels, picture.pixels}, ".png"))
                summary.addPicture(picture.name, picture, *png);
        for (const auto& [name, statistics] : report.values)
            summary.addHistogram(name, events::histogramOf(statistics));
        return events::summaryEvent(now, report.iteration, summary);
    });
}

void EventOutput::onGraph(const GraphReport& report) {
    post([report](double now) { return events::graphEvent(now, graphDefinition(report)); });
}

void EventOutput::onProfile(const ProfileReport& report) {
    post([report](double now) { return events::profileEvent(now, report); });
}

} // namespace trainyard
