#pragma once

#include "core/base/Error.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace trainyard::cli {

/// Writes the whole text to a descriptor; false when whoever read it has left or the disk behind it is full (errno).
bool writeAll(int descriptor, const std::string& text);

/// Names and notes are anybody's: what a terminal would obey (control characters but line ends and tabs) becomes
/// blanks.
std::string printable(std::string text);

/// Standard output of a verb that answers and ends. A reader that left (`trainyard runs list | head -1`) is no failure.
void print(const std::string& text);
/// Fails where standard output could not take everything, a full disk for example.
Result<void> finishPrinting();

/// "trainyard: where: what remedy" on standard error.
void printError(const Error& error);

/// Standard output of an engine: lines are queued and a thread of its own writes them, so that a slow reader never
/// holds up training. The destructor writes what is left. Any thread may add lines.
class LineWriter {
public:
    explicit LineWriter(int descriptor);
    ~LineWriter();
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    void add(std::string line);

private:
    void work();

    int m_descriptor;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::string> m_lines;
    bool m_isEnding = false;
    bool m_isBroken = false; ///< the reader left; further lines are dropped
    std::thread m_thread;
};

} // namespace trainyard::cli
