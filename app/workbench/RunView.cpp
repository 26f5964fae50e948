#include "app/workbench/RunView.h"

#include "widgets/theme/Numbers.h"

#include <QCoreApplication>

namespace trainyard {
namespace {

struct RunViewText {
    Q_DECLARE_TR_FUNCTIONS(RunView)
};

bool isActiveStatus(RunStatus status) {
    return status == RunStatus::Preparing || status == RunStatus::Running || status == RunStatus::Paused ||
           status == RunStatus::Stopping;
}

QString phaseText(const PhaseReport& phase) {
    QString text = QString::fromStdString(phase.text);
    if (phase.total > 0)
        text += RunViewText::tr(" %1 of %2").arg(theme::countText(phase.done), theme::countText(phase.total));
    else if (phase.done > 0)
        text += QLatin1Char(' ') + theme::countText(phase.done);
    return text;
}

} // namespace

bool RunView::isActive() const {
    return isActiveStatus(status);
}

bool RunView::canResume() const {
    return status == RunStatus::Stopped || status == RunStatus::Failed || status == RunStatus::Lost;
}

QString RunView::progressText() const {
    QStringList parts;
    if (!phase.isEmpty())
        parts << phase;
    if (iterations > 0 && (iteration > 0 || phase.isEmpty()))
        parts << RunViewText::tr("%1 / %2").arg(theme::countText(iteration), theme::countText(iterations));
    if (status == RunStatus::Running && secondsLeft >= 0)
        parts << RunViewText::tr("%1 left").arg(theme::durationText(secondsLeft));
    if (isFollowed)
        parts << RunViewText::tr("in another process");
    return parts.join(QStringLiteral(" · "));
}

double RunView::progress() const {
    return iterations > 0 ? double(iteration) / double(iterations) : -1;
}

QString runTitle(const RunRecord& run) {
    return QStringLiteral("%1 #%2").arg(QString::fromStdString(run.name)).arg(run.id);
}

std::optional<RunView> viewOf(const ProjectSnapshot* project, std::int64_t run, const EngineState& engine) {
    const RunRecord* record = project ? project->find(run) : nullptr;
    const bool isOurs = engine.isBusy && engine.run == run && run != 0;
    if (!record && !isOurs)
        return std::nullopt;
    RunView view;
    view.run = run;
    if (record) {
        view.name = runTitle(*record);
        view.status = record->status;
        view.iteration = record->iteration;
        view.iterations = record->iterations;
        view.error = QString::fromStdString(record->error);
    } else {
        view.name = QStringLiteral("#%1").arg(run);
    }
    view.isOurs = isOurs;
    if (isOurs) {
        view.status = engine.status;
        view.iteration = std::max({view.iteration, engine.step.iteration, engine.phase.iteration});
        view.iterations = std::max(view.iterations, engine.phase.iterations);
        view.secondsLeft = engine.secondsLeft;
        if (engine.phase.phase != Phase::Running && engine.phase.phase != Phase::Paused)
            view.phase = phaseText(engine.phase);
        return view;
    }
    view.isFollowed = isActiveStatus(view.status);
    if (view.isFollowed && view.iteration > 0 && view.iterations > view.iteration && record->seconds > 0)
        view.secondsLeft = record->seconds / double(view.iteration) * double(view.iterations - view.iteration);
    return view;
}

} // namespace trainyard
