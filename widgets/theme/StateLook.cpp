#include "widgets/theme/StateLook.h"

#include <QCoreApplication>

namespace trainyard::theme {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StateLook", text);
}

} // namespace

StateLook stateLook(RunStatus status) {
    switch (status) {
    case RunStatus::Queued:
        return {tr("queued"), QStringLiteral("queued"), Tone::Waiting, tr("Waits for its turn.")};
    case RunStatus::Preparing:
        return {tr("preparing"), QStringLiteral("preparing"), Tone::Busy, tr("Reads data and builds the model.")};
    case RunStatus::Running:
        return {tr("running"), QStringLiteral("running"), Tone::Busy, tr("The network learns.")};
    case RunStatus::Paused:
        return {tr("paused"), QStringLiteral("pause"), Tone::Waiting, tr("Keeps its exact state and waits.")};
    case RunStatus::Stopping:
        return {tr("stopping"), QStringLiteral("stop"), Tone::Waiting, tr("Finishes its iteration and saves.")};
    case RunStatus::Stopped:
        return {tr("stopped"), QStringLiteral("stop"), Tone::Quiet,
                tr("Stopped with a checkpoint; it can be resumed.")};
    case RunStatus::Finished:
        return {tr("finished"), QStringLiteral("done"), Tone::Good, tr("Did all its planned iterations.")};
    case RunStatus::Failed:
        return {tr("failed"), QStringLiteral("failed"), Tone::Bad, tr("Ended by an error; the details say which.")};
    case RunStatus::Lost:
        return {tr("lost"), QStringLiteral("lost"), Tone::Warning,
                tr("The program that ran it died; it can be resumed from its newest checkpoint.")};
    }
    return {};
}

} // namespace trainyard::theme
