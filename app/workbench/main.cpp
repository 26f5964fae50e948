#include "app/workbench/MainWindow.h"
#include "core/base/Error.h"
#include "core/base/WaitPolicy.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTranslator>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace {

trainyard::StartupPlan planOf(const QCommandLineParser& arguments) {
    trainyard::StartupPlan plan;
    if (!arguments.positionalArguments().isEmpty())
        plan.project = arguments.positionalArguments().constFirst().toStdString();
    plan.preset = arguments.value(QStringLiteral("start"));
    if (arguments.isSet(QStringLiteral("demo"))) {
        plan.preset = QStringLiteral("crnn-demo");
        plan.runName = QStringLiteral("demo"); // the headless demonstration's name too
        plan.create = true;
    }
    plan.create = plan.create || arguments.isSet(QStringLiteral("create"));
    return plan;
}

bool hasArgument(int count, char** values, std::initializer_list<std::string_view> names) {
    return std::any_of(values + 1, values + count,
                       [&](const char* value) { return std::find(names.begin(), names.end(), value) != names.end(); });
}

/// Whether Qt has something to show a window on; without it, it would abort.
bool hasDisplay(int count, char** values) {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name))
            return true;
    return hasArgument(count, values, {"-platform", "--platform", "-display", "--display"});
}

} // namespace

int main(int count, char** values) {
    if (!hasDisplay(count, values)) {
        if (!hasArgument(count, values, {"-h", "--help", "--help-all", "-v", "--version"})) {
            std::fputs("trainyard-workbench: There is no display to open a window on. Set DISPLAY or WAYLAND_DISPLAY, "
                       "or train without a window: trainyard --help.\n",
                       stderr);
            return trainyard::exitCode(trainyard::ErrorKind::Usage);
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    trainyard::startAnewToWaitPatiently(values);
    QApplication application(count, values);
    QApplication::setOrganizationName(QStringLiteral("Trainyard"));
    QApplication::setApplicationName(QStringLiteral("trainyard-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.trainyard.Workbench"));
    QTranslator translator;
    const bool hasLanguage =
        translator.load(QLocale(), QStringLiteral("trainyard"), QStringLiteral("_"), QStringLiteral(":/i18n")) ||
        translator.load(QStringLiteral(":/i18n/trainyard_en.qm")); // English has plurals too
    if (hasLanguage)
        QApplication::installTranslator(&translator);

    QCommandLineParser arguments;
    arguments.setApplicationDescription(QApplication::translate(
        "main", "A workbench for people who train object detectors and scene-text recognisers."));
    arguments.addHelpOption();
    arguments.addVersionOption();
    arguments.addPositionalArgument(QStringLiteral("project"),
                                    QApplication::translate("main", "Folder of the project."),
                                    QStringLiteral("[PROJECT]"));
    arguments.addOption(
        {QStringLiteral("create"), QApplication::translate("main", "Make the project where there is none.")});
    arguments.addOption(
        {QStringLiteral("start"),
         QApplication::translate("main", "Start this preset, or go on with its newest run that ended early."),
         QStringLiteral("PRESET")});
    arguments.addOption(
        {QStringLiteral("demo"),
         QApplication::translate("main", "Make the project if need be and let the demonstration learn in it.")});
    arguments.process(application);

    trainyard::theme::apply(trainyard::theme::Choice(QSettings().value(QStringLiteral("theme")).toInt()));
    trainyard::MainWindow window;
    window.show();
    window.carryOut(planOf(arguments));
    return QApplication::exec();
}
