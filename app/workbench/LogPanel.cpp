#include "app/workbench/LogPanel.h"

#include "core/base/Log.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QTimer>

#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <mutex>

namespace trainyard {
namespace {

constexpr int kMostLines = 5000;
constexpr int kReadMilliseconds = 200;

} // namespace

/// Collects lines from any thread until the panel takes them.
struct LogPanel::Listener final : spdlog::sinks::base_sink<std::mutex> {
    QStringList take() {
        std::lock_guard lock(mutex_);
        return std::exchange(lines, {});
    }

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t buffer;
        formatter_->format(message, buffer);
        lines << QString::fromUtf8(buffer.data(), qsizetype(buffer.size())).trimmed();
        if (lines.size() > kMostLines)
            lines.removeFirst();
    }
    void flush_() override {}

private:
    QStringList lines;
};

LogPanel::LogPanel(QWidget* parent)
    : QDockWidget(tr("Log"), parent), m_listener(std::make_shared<Listener>()), m_text(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("log"));
    m_text->setReadOnly(true);
    m_text->setMaximumBlockCount(kMostLines);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setPlaceholderText(tr("Nothing has been logged yet."));
    m_text->setAccessibleName(tr("Log"));
    setWidget(m_text);
    m_listener->set_pattern("%H:%M:%S  %-7l  %v");
    spdlog::default_logger()->sinks().push_back(m_listener);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        for (const QString& line : m_listener->take())
            addLine(line);
    });
    timer->start(kReadMilliseconds);
}

LogPanel::~LogPanel() {
    auto& sinks = spdlog::default_logger()->sinks();
    sinks.erase(std::remove(sinks.begin(), sinks.end(), m_listener), sinks.end());
}

void LogPanel::addLine(const QString& line) {
    m_text->appendPlainText(line);
}

QString LogPanel::text() const {
    return m_text->toPlainText();
}

} // namespace trainyard
