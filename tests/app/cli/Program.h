#pragma once

#include <QProcess>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::testing {

/// What a run of the real program left.
struct Ended {
    int code = -1; ///< exit code; 128 + signal when a signal ended it
    std::string out, err;
    /// Standard output as JSON, an object a line. Fails the test by throwing where a line is no JSON.
    std::vector<nlohmann::json> lines() const;
};

/// The real `trainyard`, started in `folder`.
class Program {
public:
    Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
            const std::vector<std::pair<std::string, std::string>>& environment = {},
            const std::vector<std::string>& wrapper = {});
    ~Program();

    /// Waits for the next line of standard output; nothing at its end.
    std::optional<nlohmann::json> nextLine();
    /// Reads on until a line whose "event" is `event` and whose "iteration" is at least `iteration`; nothing when the
    /// program ended before.
    std::optional<nlohmann::json> waitFor(const std::string& event, std::int64_t iteration = 0);
    void signal(int number);
    qint64 id() const { return m_process.processId(); }
    /// Waits for its end; everything that was written counts, lines read before included.
    Ended wait();

private:
    QProcess m_process;
    std::string m_out, m_unread;
};

/// Runs it to its end.
Ended runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::vector<std::pair<std::string, std::string>>& environment = {},
                 const std::vector<std::string>& wrapper = {});

/// Its single line of JSON. Throws where it said another number of lines.
nlohmann::json onlyLine(const Ended& ended);

/// The losses of the "iteration" lines, by iteration, as their JSON text: equal texts are equal bits.
std::map<std::int64_t, std::string> lossesOf(const std::vector<nlohmann::json>& lines);

/// Fails with what the program said.
#define VERIFY_CODE(program, wanted)                                                                                   \
    do {                                                                                                               \
        const ::trainyard::testing::Ended& verified = (program); /* evaluated once: it may start a process */         \
        QVERIFY2(verified.code == (wanted), qPrintable(QStringLiteral("exit code %1, said: %2")                        \
                                                           .arg(verified.code)                                         \
                                                           .arg(QString::fromStdString(verified.err))));               \
    } while (false)

} // namespace trainyard::testing
