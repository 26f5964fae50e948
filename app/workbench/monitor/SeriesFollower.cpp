#include "app/workbench/monitor/SeriesFollower.h"

#include "app/workbench/monitor/SeriesReading.h"

#include <QThread>
#include <QTimer>

namespace trainyard {
namespace {

constexpr int kSeriesPollMilliseconds = 250;

} // namespace

/// Lives on the follower's thread and owns the readers.
class SeriesFollower::Worker final : public QObject {
public:
    explicit Worker(SeriesFollower* follower) : m_follower(follower) {}

    void setRequest(const SeriesRequest& request) {
        m_reading.setRequest(request);
        if (!m_isActive || m_isDue)
            return;
        m_isDue = true; // several requests in a row, from a wheel or a drag, are answered once
        QTimer::singleShot(0, this, [this] {
            m_isDue = false;
            poll();
        });
    }

    void setActive(bool isActive) {
        m_isActive = isActive;
        if (!m_timer) {
            m_timer = new QTimer(this);
            connect(m_timer, &QTimer::timeout, this, [this] { poll(); });
        }
        if (isActive) {
            m_timer->start(kSeriesPollMilliseconds);
            poll();
        } else {
            m_timer->stop();
        }
    }

    void poll() {
        if (!m_isActive || !m_reading.hasNews())
            return;
        auto snapshot = m_reading.read();
        QMetaObject::invokeMethod(
            m_follower, [follower = m_follower, snapshot] { Q_EMIT follower->updated(snapshot); },
            Qt::QueuedConnection);
    }

    void exportCsv(const std::string& path, const std::vector<std::string>& names, std::int64_t from, std::int64_t to,
                   const std::function<void(QString)>& done) {
        const QString trouble = QString::fromStdString(m_reading.exportCsv(path, names, from, to));
        QMetaObject::invokeMethod(
            m_follower, [done, trouble] { done(trouble); }, Qt::QueuedConnection);
    }

private:
    SeriesFollower* m_follower;
    SeriesReading m_reading;
    QTimer* m_timer = nullptr;
    bool m_isActive = false;
    bool m_isDue = false;
};

SeriesFollower::SeriesFollower(QObject* parent)
    : QObject(parent), m_thread(new QThread(this)), m_worker(new Worker(this)) {
    m_thread->setObjectName(QStringLiteral("series"));
    m_worker->moveToThread(m_thread);
    m_thread->start();
}

SeriesFollower::~SeriesFollower() {
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, thread = m_thread] {
            delete worker;
            thread->quit();
        },
        Qt::QueuedConnection);
    m_thread->wait();
}

void SeriesFollower::setRequest(const SeriesRequest& request) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, request] { worker->setRequest(request); });
}

void SeriesFollower::setActive(bool isActive) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, isActive] { worker->setActive(isActive); });
}

void SeriesFollower::exportCsv(const std::string& path, const std::vector<std::string>& names, std::int64_t from,
                               std::int64_t to, std::function<void(QString)> done) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, path, names, from, to, done = std::move(done)] {
        worker->exportCsv(path, names, from, to, done);
    });
}

} // namespace trainyard
