#include "tests/app/cli/Program.h"

#include "tests/support/TestData.h"

#include <csignal>

#include <sys/types.h>

namespace trainyard::testing {

namespace {
constexpr int kPatience = 240000; // ms: for a machine that is busy with other things, never waited for in full
}

nlohmann::json onlyLine(const Ended& ended) {
    const auto lines = ended.lines();
    if (lines.size() != 1)
        throw std::runtime_error("expected one line: " + ended.out + ended.err);
    return lines.front();
}

std::vector<nlohmann::json> Ended::lines() const {
    std::vector<nlohmann::json> all;
    for (std::size_t at = 0; at < out.size();) {
        const std::size_t end = std::min(out.find('\n', at), out.size());
        all.push_back(nlohmann::json::parse(out.substr(at, end - at)));
        at = end + 1;
    }
    return all;
}

Program::Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::vector<std::pair<std::string, std::string>>& environment,
                 const std::vector<std::string>& wrapper) {
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : environment)
        variables.insert(QString::fromStdString(name), QString::fromStdString(value));
    m_process.setProcessEnvironment(variables);
    m_process.setWorkingDirectory(QString::fromStdString(folder.string()));
    std::vector<std::string> words = wrapper;
    words.push_back((programFolder() / "trainyard").string());
    words.insert(words.end(), arguments.begin(), arguments.end());
    QStringList rest;
    for (std::size_t i = 1; i < words.size(); ++i)
        rest << QString::fromStdString(words[i]);
    m_process.start(QString::fromStdString(words.front()), rest);
    if (!m_process.waitForStarted(kPatience))
        throw std::runtime_error("cannot start " + words.front());
}

Program::~Program() {
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(kPatience);
    }
}

std::optional<nlohmann::json> Program::nextLine() {
    while (true) {
        if (const auto end = m_unread.find('\n'); end != std::string::npos) {
            const auto line = nlohmann::json::parse(m_unread.substr(0, end));
            m_unread.erase(0, end + 1);
            return line;
        }
        if (m_process.bytesAvailable() == 0 && !m_process.waitForReadyRead(kPatience) &&
            m_process.bytesAvailable() == 0)
            return std::nullopt;
        const std::string more = m_process.readAllStandardOutput().toStdString();
        m_out += more;
        m_unread += more;
    }
}

std::optional<nlohmann::json> Program::waitFor(const std::string& event, std::int64_t iteration) {
    while (auto line = nextLine())
        if (line->at("event") == event && (iteration == 0 || line->value("iteration", std::int64_t(0)) >= iteration))
            return line;
    return std::nullopt;
}

void Program::signal(int number) {
    ::kill(pid_t(m_process.processId()), number);
}

Ended Program::wait() {
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(kPatience))
        throw std::runtime_error("the program does not end");
    Ended ended;
    ended.code = m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : 128 + m_process.exitCode();
    ended.out = m_out + m_process.readAllStandardOutput().toStdString();
    ended.err = m_process.readAllStandardError().toStdString();
    return ended;
}

Ended runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const std::vector<std::pair<std::string, std::string>>& environment,
                 const std::vector<std::string>& wrapper) {
    return Program(arguments, folder, environment, wrapper).wait();
}

std::map<std::int64_t, std::string> lossesOf(const std::vector<nlohmann::json>& lines) {
    std::map<std::int64_t, std::string> losses;
    for (const auto& line : lines)
        if (line.at("event") == "iteration")
            losses[line.at("iteration")] =
                nlohmann::json({line.at("loss"), line.at("losses"), line.at("learning_rate")}).dump();
    return losses;
}

} // namespace trainyard::testing
