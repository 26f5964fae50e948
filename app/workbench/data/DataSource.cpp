#include "app/workbench/data/DataSource.h"

#include "widgets/theme/Numbers.h"

#include <QElapsedTimer>
#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kAfterTheLastChange = 400;  // milliseconds
constexpr int kBetweenProgress = 100;     // milliseconds
constexpr std::int64_t kOfEndless = 1000; ///< samples shown where there is no end

/// The parts of a configuration on which pictures and what the network sees of them depend.
RunConfig picturePart(const RunConfig& config) {
    RunConfig part;
    part.seed = config.seed;
    part.data = config.data;
    part.model = config.model;
    part.evaluate = config.evaluate;
    return part;
}

} // namespace

DataSource::DataSource(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kAfterTheLastChange);
    connect(&m_soon, &QTimer::timeout, this, &DataSource::open);
}

DataSource::~DataSource() {
    m_token.cancel();
    m_pool.waitForDone();
}

void DataSource::setEngine(std::shared_ptr<Engine> engine) {
    m_engine = std::move(engine);
    m_opened.reset();
    m_soon.start();
    Q_EMIT changed();
}

void DataSource::setEngineTrouble(const QString& sentence) {
    m_engineTrouble = sentence;
    Q_EMIT changed();
}

void DataSource::setProjectFolder(const std::filesystem::path& folder) {
    if (folder == m_folder)
        return;
    m_folder = folder;
    m_opened.reset(); // other data roots
    m_soon.start();
}

void DataSource::setConfig(const RunConfig& config) {
    m_config = picturePart(config);
    m_soon.start();
}

void DataSource::setActive(bool isLookedAt) {
    m_isActive = isLookedAt;
    if (isLookedAt)
        open();
}

void DataSource::lookAgain() {
    m_opened.reset();
    open();
}

void DataSource::cancel() {
    m_token.cancel();
}

DataSource::State DataSource::state() const {
    return m_engine ? m_state : m_engineTrouble.isEmpty() ? State::NoEngine : State::Failed;
}

std::shared_ptr<const SetLook> DataSource::look(std::size_t set) const {
    return set < m_looks.size() ? m_looks[set] : nullptr;
}

std::int64_t DataSource::count(std::size_t set) const {
    const std::int64_t samples = m_data->sets().at(set).samples;
    return samples < 0 ? kOfEndless : samples;
}

QStringList DataSource::classes(std::size_t set) const {
    QStringList names;
    for (const std::string& name : m_data->sets().at(set).classes)
        names << QString::fromStdString(name);
    return names;
}

void DataSource::reset(State state) {
    m_token.cancel();
    m_token = {};
    ++m_question;
    m_state = state;
    m_trouble.clear();
    m_progress.clear();
    m_data.reset();
    m_looks.clear();
    m_problems.clear();
    m_damage.clear();
    m_troubled.clear();
    m_isChecking = m_isChecked = false;
}

LookControl DataSource::control() {
    LookControl control;
    control.isCancelled = [token = m_token] { return token.isCancelled(); };
    auto since = std::make_shared<QElapsedTimer>();
    control.progress = [this, since, question = m_question](const std::string& text, std::int64_t done,
                                                            std::int64_t total) {
        if (since->isValid() && since->elapsed() < kBetweenProgress)
            return;
        since->start();
        QMetaObject::invokeMethod(
            this,
            [this, question, words = QString::fromStdString(text), done, total] {
                if (question == m_question)
                    report(words, done, total);
            },
            Qt::QueuedConnection);
    };
    return control;
}

void DataSource::report(const QString& text, std::int64_t done, std::int64_t total) {
    m_progress = done <= 0   ? text
                 : total > 0 ? tr("%1: %2 of %3").arg(text, theme::countText(done), theme::countText(total))
                             : tr("%1: %2").arg(text, theme::countText(done));
    Q_EMIT changed();
}

void DataSource::open() {
    if (!m_engine || !m_isActive || (m_opened && *m_opened == m_config))
        return;
    m_opened = m_config;
    Q_EMIT aboutToOpen();
    if (m_config.data.train.empty() && m_config.data.validation.empty()) {
        reset(State::NoData);
        Q_EMIT opened();
        Q_EMIT changed();
        return;
    }
    reset(State::Opening);
    Q_EMIT opened();
    Q_EMIT changed();
    using Answer = Result<std::shared_ptr<const OpenedData>>;
    QtConcurrent::run(&m_pool, [engine = m_engine, config = m_config, folder = m_folder, control = control()] {
        return std::make_shared<Answer>(engine->openData(config, folder, control));
    }).then(this, [this, question = m_question](const std::shared_ptr<Answer>& answer) {
        if (question != m_question)
            return;
        m_progress.clear();
        if (!*answer) {
            m_state = State::Failed;
            m_trouble = QString::fromStdString(answer->error().sentence());
            Q_EMIT changed();
            return;
        }
        m_state = State::Open;
        m_data = **answer;
        m_looks.resize(m_data->sets().size());
        collectProblems();
        Q_EMIT opened();
        Q_EMIT changed();
        lookAt(0);
    });
}

void DataSource::lookAt(std::size_t set) {
    if (set >= m_looks.size()) {
        m_progress.clear();
        Q_EMIT changed();
        return;
    }
    report(tr("Counting %1").arg(QString::fromStdString(m_data->sets()[set].name)), 0, 0);
    QtConcurrent::run(&m_pool, [data = m_data, set, count = count(set), token = m_token] {
        auto look = std::make_shared<SetLook>();
        look->index = SampleIndex::of(*data, set, count, [token] { return token.isCancelled(); });
        InspectionOptions options;
        options.endlessCount = count;
        options.cancellation = token;
        look->inspection = data->inspect(set, options);
        return look;
    }).then(this, [this, set, question = m_question](const std::shared_ptr<SetLook>& look) {
        if (question != m_question)
            return;
        m_looks[set] = look;
        collectProblems();
        Q_EMIT changed();
        lookAt(set + 1);
    });
}

void DataSource::checkPictures() {
    if (m_state != State::Open || m_isChecking)
        return;
    if (m_token.isCancelled())
        m_token = {};
    m_isChecking = true;
    checkFrom(0);
}

void DataSource::checkFrom(std::size_t set) {
    if (set >= m_looks.size() || m_token.isCancelled()) {
        m_isChecked = !m_token.isCancelled();
        m_isChecking = false;
        m_progress.clear();
        Q_EMIT changed();
        return;
    }
    const QString text = tr("Checking the pictures of %1").arg(QString::fromStdString(m_data->sets()[set].name));
    QtConcurrent::run(&m_pool, [data = m_data, set, count = count(set), token = m_token, text, control = control()] {
        auto options = InspectionOptions();
        options.decodesImages = true;
        options.endlessCount = count;
        options.cancellation = token;
        options.progress = [&](std::int64_t done, std::int64_t total) {
            control.progress(text.toStdString(), done, total);
        };
        return std::make_shared<Inspection>(data->inspect(set, options));
    }).then(this, [this, set, question = m_question](const std::shared_ptr<Inspection>& inspection) {
        if (question != m_question)
            return;
        if (m_looks[set] && !inspection->wasCancelled) {
            auto look = std::make_shared<SetLook>(*m_looks[set]);
            look->inspection = *inspection;
            m_looks[set] = look;
        } else {
            for (const DataProblem& problem : inspection->problems)
                m_damage.emplace_back(set, problem);
        }
        collectProblems();
        checkFrom(set + 1);
    });
}

} // namespace trainyard
