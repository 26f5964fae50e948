#include "widgets/theme/StateLook.h"

#include <QCoreApplication>

namespace trainyard::theme {
namespace {

struct StateLookText {
    Q_DECLARE_TR_FUNCTIONS(StateLook)
};

} // namespace

StateLook stateLook(RunStatus status) {
    switch (status) {
    case RunStatus::Queued:
        return {StateLookText::tr("queued"), QStringLiteral("queued"), Tone::Waiting, StateLookText::tr("Waits for its turn.")};
    case RunStatus::Preparing:
        return {StateLookText::tr("preparing"), QStringLiteral("preparing"), Tone::Busy, StateLookText::tr("Reads data and builds the model.")};
    case RunStatus::Running:
        return {StateLookText::tr("running"), QStringLiteral("running"), Tone::Busy, StateLookText::tr("The network learns.")};
    case RunStatus::Paused:
        return {StateLookText::tr("paused"), QStringLiteral("pause"), Tone::Waiting, StateLookText::tr("Keeps its exact state and waits.")};
    case RunStatus::Stopping:
        return {StateLookText::tr("stopping"), QStringLiteral("stop"), Tone::Waiting, StateLookText::tr("Finishes its iteration and saves.")};
    case RunStatus::Stopped:
        return {StateLookText::tr("stopped"), QStringLiteral("stop"), Tone::Quiet,
                StateLookText::tr("Stopped with a checkpoint; it can be resumed.")};
    case RunStatus::Finished:
        return {StateLookText::tr("finished"), QStringLiteral("done"), Tone::Good, StateLookText::tr("Did all its planned iterations.")};
    case RunStatus::Failed:
        return {StateLookText::tr("failed"), QStringLiteral("failed"), Tone::Bad, StateLookText::tr("Ended by an error; the details say which.")};
    case RunStatus::Lost:
        return {StateLookText::tr("lost"), QStringLiteral("lost"), Tone::Warning,
                StateLookText::tr("The program that ran it died; it can be resumed from its newest checkpoint.")};
    }
    return {};
}

} // namespace trainyard::theme
