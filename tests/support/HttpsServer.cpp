#include "tests/support/HttpsServer.h"

#include "tests/support/TestData.h"

#include <QFile>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QThread>

namespace trainyard::testing {
namespace {

QByteArray contentOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

HttpsServer::HttpsServer() : m_thread(std::make_unique<QThread>()) {
    m_thread->setObjectName("https server");
    m_server = new QSslServer;
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificate(QSslCertificate(contentOf(certificate())));
    configuration.setPrivateKey(QSslKey(contentOf(testData("fetch/key.pem")), QSsl::Rsa));
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    m_server->setSslConfiguration(configuration);
    m_server->moveToThread(m_thread.get());
    m_thread->start();
    QMetaObject::invokeMethod(
        m_server, [this] { listen(); }, Qt::BlockingQueuedConnection);
}

HttpsServer::~HttpsServer() {
    QMetaObject::invokeMethod(
        m_server, [this] { delete m_server; }, Qt::BlockingQueuedConnection);
    m_thread->quit();
    m_thread->wait();
}

void HttpsServer::put(const std::string& path, Answer answer) {
    const std::scoped_lock lock(m_mutex);
    m_answers[path] = std::move(answer);
}

QStringList HttpsServer::asked() const {
    const std::scoped_lock lock(m_mutex);
    return m_asked;
}

std::string HttpsServer::url(const std::string& path) const {
    return "https://localhost:" + std::to_string(m_port) + path;
}

std::string HttpsServer::certificate() const {
    return testData("fetch/certificate.pem").string();
}

void HttpsServer::listen() {
    QObject::connect(m_server, &QSslServer::pendingConnectionAvailable, m_server, [this] {
        while (auto* socket = m_server->nextPendingConnection())
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { answer(socket); });
    });
    if (m_server->listen(QHostAddress::LocalHost, 0))
        m_port = m_server->serverPort();
}

void HttpsServer::answer(QObject* object) {
    auto* socket = qobject_cast<QSslSocket*>(object);
    const QByteArray request = socket->property("request").toByteArray() + socket->readAll();
    socket->setProperty("request", request);
    if (!request.contains("\r\n\r\n"))
        return;
    const std::string path = request.split(' ').value(1).toStdString();
    Answer answer{404, "not here", -1, ""};
    {
        const std::scoped_lock lock(m_mutex);
        m_asked << QString::fromStdString(path);
        if (const auto found = m_answers.find(path); found != m_answers.end())
            answer = found->second;
    }
    QByteArray head = "HTTP/1.1 " + QByteArray::number(answer.status) +
                      " Answer\r\nConnection: close\r\nContent-Length: " + QByteArray::number(answer.body.size()) +
                      "\r\n";
    if (!answer.location.empty())
        head += "Location: " + QByteArray::fromStdString(answer.location) + "\r\n";
    socket->write(head + "\r\n" + (answer.cutAfter < 0 ? answer.body : answer.body.left(answer.cutAfter)));
    socket->disconnectFromHost();
}

} // namespace trainyard::testing
