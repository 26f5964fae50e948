#include "app/cli/Output.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <unistd.h>

namespace trainyard::cli {

namespace {
int s_printError = 0; ///< errno of the first failed print
}

bool writeAll(int descriptor, const std::string& text) {
    const char* at = text.data();
    std::size_t left = text.size();
    while (left > 0) {
        const ssize_t written = ::write(descriptor, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        left -= std::size_t(written);
    }
    return true;
}

std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = std::uint8_t(text[i]), next = std::uint8_t(i + 1 < text.size() ? text[i + 1] : 0);
        if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f)
            text[i] = ' ';
        else if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) // the C1 controls, in UTF-8
            text[i] = text[i + 1] = ' ';
    }
    return text;
}

void print(const std::string& text) {
    if (s_printError == 0 && !writeAll(STDOUT_FILENO, printable(text)))
        s_printError = errno;
}

Result<void> finishPrinting() {
    if (s_printError == 0 || s_printError == EPIPE)
        return {};
    return Error{ErrorKind::Unexpected, std::string("Writing failed: ") + std::strerror(s_printError) + ".",
                 "standard output", "Send the output elsewhere."};
}

void printError(const Error& error) {
    writeAll(STDERR_FILENO,
             printable("trainyard: " + error.sentence() + "\n")); // nowhere left to complain when this fails
}

LineWriter::LineWriter(int descriptor) : m_descriptor(descriptor), m_thread([this] { work(); }) {}

LineWriter::~LineWriter() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void LineWriter::add(std::string line) {
    line += '\n';
    {
        std::lock_guard lock(m_mutex);
        if (m_isBroken)
            return;
        m_lines.push_back(std::move(line));
    }
    m_changed.notify_one();
}

void LineWriter::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_lines.empty(); });
        if (m_lines.empty())
            return;
        std::string text;
        for (const std::string& line : m_lines)
            text += line;
        m_lines.clear();
        lock.unlock();
        const bool isWritten = writeAll(m_descriptor, text);
        lock.lock();
        if (!isWritten && !m_isBroken) {
            m_isBroken = true;
            m_lines.clear();
            printError(Error{ErrorKind::Unexpected, "Nobody reads the output any more; the run goes on without it.",
                             "standard output", ""});
        }
    }
}

} // namespace trainyard::cli
