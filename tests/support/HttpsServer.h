#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

class QSslServer;
class QThread;

namespace trainyard::testing {

/// An https server on the loopback interface, on a thread and port of its own, with the certificate of
/// tests/data/fetch.
class HttpsServer {
public:
    struct Answer {
        int status = 200;
        QByteArray body;
        int cutAfter = -1;    ///< bytes of the body after which the connection is closed; -1 sends all
        std::string location; ///< of a redirection
    };

    HttpsServer();
    ~HttpsServer();
    HttpsServer(const HttpsServer&) = delete;
    HttpsServer& operator=(const HttpsServer&) = delete;

    void put(const std::string& path, Answer answer); ///< any thread
    QStringList asked() const;                        ///< the paths that were asked for, in order
    std::string url(const std::string& path) const;   ///< "https://localhost:PORT/path"
    std::string certificate() const;                  ///< the file to trust

private:
    void listen();
    void answer(QObject* socket);

    std::unique_ptr<QThread> m_thread;
    QSslServer* m_server = nullptr; ///< lives on the thread
    quint16 m_port = 0;
    mutable std::mutex m_mutex;
    std::map<std::string, Answer> m_answers;
    QStringList m_asked;
};

} // namespace trainyard::testing
