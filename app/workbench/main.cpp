#include "app/workbench/MainWindow.h"
#include "core/base/Log.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTranslator>

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

} // namespace

int main(int count, char** values) {
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
