#include "app/workbench/configure/Forecaster.h"

#include "core/config/DetectorInput.h"
#include "widgets/theme/Numbers.h"

#include <QElapsedTimer>

#include <unistd.h>

namespace trainyard {
namespace {

constexpr int kAfterTheLastEdit = 500; // milliseconds
constexpr int kBetweenReports = 100;   // of progress

/// The parts of a configuration that decide what its model weighs.
RunConfig modelPart(const RunConfig& config) {
    RunConfig part;
    part.model = config.model;
    part.data.batchSize = config.data.batchSize;
    part.solve.optimizer = config.solve.optimizer;
    part.solve.momentum = config.solve.momentum;
    part.train.device = config.train.device;
    part.train.devices = config.train.devices;
    part.train.precision = config.train.precision;
    return part;
}

/// The parts that decide what is found in its data.
RunConfig dataPart(const RunConfig& config) {
    RunConfig part;
    part.model.type = config.model.type;
    part.model.crnn.alphabet = config.model.crnn.alphabet;
    part.model.crnn.caseSensitive = config.model.crnn.caseSensitive;
    part.model.crnn.width = config.model.crnn.width;
    part.model.aster.alphabet = config.model.aster.alphabet;
    part.model.aster.caseSensitive = config.model.aster.caseSensitive;
    part.model.aster.maxSteps = config.model.aster.maxSteps;
    const DataConfig& data = config.data;
    part.data.train = data.train;
    part.data.validation = data.validation;
    part.data.classes = data.classes;
    part.data.split = data.split;
    part.data.onEmpty = data.onEmpty;
    part.data.onZeroArea = data.onZeroArea;
    part.data.onUnknownCharacter = data.onUnknownCharacter;
    part.data.rendered = data.rendered;
    return part;
}

std::int64_t memoryTotal() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? std::int64_t(pages) * size : -1;
}

} // namespace

Forecaster::Forecaster(QObject* parent) : QObject(parent), m_worker(new QObject) {
    m_forecast.memoryTotal = memoryTotal();
    m_thread.setObjectName(QStringLiteral("forecast"));
    m_worker->moveToThread(&m_thread);
    m_thread.start();
    m_soon.setSingleShot(true);
    m_soon.setInterval(kAfterTheLastEdit);
    connect(&m_soon, &QTimer::timeout, this, &Forecaster::ask);
}

Forecaster::~Forecaster() {
    if (m_isLookCancelled)
        *m_isLookCancelled = true;
    m_thread.quit();
    m_thread.wait();
    delete m_worker;
}

/// Does `work` on the thread; what it returns is called back here, if this is still there.
template <class Work>
void Forecaster::post(Work work) {
    QMetaObject::invokeMethod(
        m_worker, [this, work = std::move(work)] { QMetaObject::invokeMethod(this, work(), Qt::QueuedConnection); },
        Qt::QueuedConnection);
}

void Forecaster::setEngine(std::shared_ptr<Engine> engine) {
    m_engine = std::move(engine);
    m_soon.start();
}

void Forecaster::setProjectFolder(const std::filesystem::path& folder) {
    if (folder == m_folder)
        return;
    m_folder = folder;
    askDisk();
}

void Forecaster::setBusy(bool isBusy) {
    if (isBusy == m_isBusy)
        return;
    m_isBusy = isBusy;
    m_soon.start();
}

void Forecaster::setConfig(const RunConfig& config) {
    m_config = config;
    m_soon.start();
}

void Forecaster::ask() {
    if (!m_engine)
        return;
    askDisk();
    const bool isDataDue = !m_askedData || dataPart(*m_askedData) != dataPart(m_config);
    if (isDataDue)
        askData();
    askModelIfDue();
    Q_EMIT changed();
}

void Forecaster::askModelIfDue() {
    // a detector's head has as many outputs as its data has classes
    const bool needsClasses =
        taskOf(m_config.model) == TaskKind::Detection && detectorInput(m_config.model).classes == 0;
    if (needsClasses && m_forecast.isLooking)
        return;
    const auto classes =
        needsClasses && m_forecast.findings ? m_forecast.findings->classes : std::vector<std::string>();
    if (m_askedModel && modelPart(*m_askedModel) == modelPart(m_config) && classes == m_askedClasses)
        return;
    if (!m_isBusy)
        return askModel(classes);
    m_forecast.weight.reset();
    m_forecast.weightTrouble = tr("parameters are counted when the run has ended");
}

void Forecaster::askModel(const std::vector<std::string>& classes) {
    m_askedModel = m_config;
    m_askedClasses = classes;
    m_forecast.isCounting = true;
    m_forecast.weight.reset();
    m_forecast.weightTrouble.clear();
    post([this, engine = m_engine, config = m_config, classes, question = ++m_modelQuestion] {
        return [this, question, weight = engine->weigh(config, classes)] {
            if (question == m_modelQuestion)
                onWeighed(weight);
        };
    });
}

void Forecaster::onWeighed(const Result<ModelWeight>& weight) {
    m_forecast.isCounting = false;
    if (weight)
        m_forecast.weight = *weight;
    else
        m_forecast.weightTrouble = QString::fromStdString(weight.error().sentence());
    if (!weight && m_isBusy)
        m_askedModel.reset();
    Q_EMIT changed();
}

void Forecaster::askData() {
    if (m_isLookCancelled)
        *m_isLookCancelled = true;
    m_askedData = m_config;
    m_forecast.findings.reset();
    m_forecast.dataTrouble.clear();
    m_forecast.isLooking = !m_config.data.train.empty();
    m_forecast.lookProgress.clear();
    ++m_dataQuestion;
    if (!m_forecast.isLooking)
        return;
    auto isCancelled = std::make_shared<std::atomic<bool>>(false);
    m_isLookCancelled = isCancelled;
    post([this, engine = m_engine, config = m_config, folder = m_folder, isCancelled, question = m_dataQuestion] {
        QElapsedTimer sinceReport;
        LookControl control;
        control.isCancelled = [isCancelled] { return isCancelled->load(); };
        control.progress = [&](const std::string& text, std::int64_t done, std::int64_t total) {
            if (sinceReport.isValid() && sinceReport.elapsed() < kBetweenReports)
                return;
            sinceReport.start();
            QString words = QString::fromStdString(text);
            if (done > 0)
                words += total > 0 ? tr(" %1 of %2").arg(theme::countText(done), theme::countText(total))
                                   : QLatin1Char(' ') + theme::countText(done);
            QMetaObject::invokeMethod(
                this,
                [this, question, words] {
                    if (question != m_dataQuestion)
                        return;
                    m_forecast.lookProgress = words;
                    Q_EMIT changed();
                },
                Qt::QueuedConnection);
        };
        return [this, question, findings = engine->lookAtData(config, folder, control)] {
            if (question == m_dataQuestion)
                onFound(findings);
        };
    });
}

void Forecaster::onFound(const Result<DataFindings>& findings) {
    m_forecast.isLooking = false;
    if (findings)
        m_forecast.findings = *findings;
    else if (findings.error().kind == ErrorKind::Interrupted)
        m_forecast.dataTrouble = tr("Not looked at.");
    else
        m_forecast.dataTrouble = QString::fromStdString(findings.error().sentence());
    askModelIfDue();
    Q_EMIT changed();
}

void Forecaster::askDisk() {
    if (m_folder.empty())
        return;
    post([this, folder = m_folder] {
        std::error_code code;
        const auto space = std::filesystem::space(folder, code);
        return [this, folder, free = code ? std::int64_t(-1) : std::int64_t(space.available)] {
            if (folder != m_folder || free == m_forecast.diskFree)
                return;
            m_forecast.diskFree = free;
            Q_EMIT changed();
        };
    });
}

void Forecaster::cancelLook() {
    if (m_isLookCancelled)
        *m_isLookCancelled = true;
}

void Forecaster::lookAgain() {
    m_askedData.reset();
    ask();
}

} // namespace trainyard
