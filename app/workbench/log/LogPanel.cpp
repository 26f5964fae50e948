#include "app/workbench/log/LogPanel.h"

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Icon.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <mutex>

namespace trainyard {
namespace {

constexpr std::size_t kMostWaiting = 5000;
constexpr int kReadMilliseconds = 200;

LogEntry::Kind kindOf(spdlog::level::level_enum level) {
    return level >= spdlog::level::err    ? LogEntry::Kind::Error
           : level == spdlog::level::warn ? LogEntry::Kind::Warning
                                          : LogEntry::Kind::Note;
}

} // namespace

/// Collects lines from any thread until the panel takes them.
struct LogPanel::Listener final : spdlog::sinks::base_sink<std::mutex> {
    std::vector<LogEntry> take() {
        std::lock_guard lock(mutex_);
        return std::exchange(lines, {});
    }

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        const auto wall = std::chrono::duration_cast<std::chrono::microseconds>(message.time.time_since_epoch());
        lines.push_back({wall.count(), 0, 0, kindOf(message.level),
                         QString::fromUtf8(message.payload.data(), qsizetype(message.payload.size())).trimmed()});
        if (lines.size() > kMostWaiting)
            lines.erase(lines.begin());
    }
    void flush_() override {}

private:
    std::vector<LogEntry> lines;
};

LogPanel::LogPanel(QWidget* parent)
    : QDockWidget(tr("Log"), parent), m_listener(std::make_shared<Listener>()), m_model(new LogModel(this)),
      m_filter(new LogFilter(this)), m_table(new QuietTable(this)) {
    setObjectName(QStringLiteral("log"));
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(false);
    m_table->setAccessibleName(tr("Log"));
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_table, 1);
    setWidget(content);
    // whoever reads the newest line goes on reading the newest
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this, wasMost = 0](int, int most) mutable {
        if (m_table->verticalScrollBar()->value() >= wasMost)
            m_table->scrollToBottom();
        wasMost = most;
    });
    spdlog::default_logger()->sinks().push_back(m_listener);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &LogPanel::take);
    timer->start(kReadMilliseconds);
}

LogPanel::~LogPanel() {
    auto& sinks = spdlog::default_logger()->sinks();
    sinks.erase(std::remove(sinks.begin(), sinks.end(), m_listener), sinks.end());
}

QWidget* LogPanel::makeHead() {
    const int quarter = theme::quarter(this);
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(3 * quarter, quarter, 3 * quarter, quarter);
    row->setSpacing(2 * quarter);
    m_search = new QLineEdit(head);
    m_search->setPlaceholderText(tr("Filter by words"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 50);
    m_search->setAccessibleName(tr("Filter of the log"));
    connect(m_search, &QLineEdit::textChanged, m_filter, &LogFilter::setWords);
    m_choice = new QComboBox(head);
    m_choice->addItems({tr("Everything"), tr("Warnings and Errors"), tr("Checkpoints and Evaluations")});
    m_choice->setAccessibleName(tr("Lines shown by kind"));
    connect(m_choice, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_filter->setChoice(LogFilter::Choice(index)); });
    auto* copy = new QToolButton(head);
    copy->setText(tr("Copy All"));
    copy->setIcon(theme::icon(QStringLiteral("copy")));
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    copy->setAutoRaise(true);
    copy->setToolTip(tr("Copy every line shown; Ctrl+C copies the selected ones"));
    connect(copy, &QToolButton::clicked, this, &LogPanel::copyAll);
    row->addWidget(m_search, 1);
    row->addWidget(m_choice);
    row->addStretch(1);
    row->addWidget(copy);
    return head;
}

void LogPanel::take() {
    for (const LogEntry& entry : m_listener->take())
        m_model->add(entry);
    fitColumns();
}

/// Once, for the first lines, whether they are a run's or the program's.
void LogPanel::fitColumns() {
    if (m_hasFitted || m_model->rowCount() == 0)
        return;
    m_table->fitColumns(LogModel::Text);
    m_hasFitted = true;
}

void LogPanel::setProject(const ProjectSnapshot* project) {
    const RunRecord* run = project ? project->shown() : nullptr;
    setWindowTitle(run ? tr("Log of %1 #%2").arg(QString::fromStdString(run->name)).arg(run->id) : tr("Log"));
    m_model->setRunEntries(run ? entriesOf(*project) : std::vector<LogEntry>());
    fitColumns();
    m_table->growColumns();
}

void LogPanel::setEngine(const EngineState& engine) {
    const bool isPreparing = engine.isBusy && engine.phase.phase == Phase::Preparing && !engine.phase.text.empty();
    if (!isPreparing || (engine.phase.text == m_phase && engine.run == m_phaseRun))
        return;
    m_phase = engine.phase.text;
    m_phaseRun = engine.run;
    m_model->add({wallMicroseconds(), 0, 0, LogEntry::Kind::Note,
                  tr("Run #%1: %2").arg(engine.run).arg(QString::fromStdString(m_phase))});
}

QString LogPanel::text() const {
    QStringList lines;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < LogModel::ColumnCount; ++column)
            cells << m_filter->index(row, column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + (lines.isEmpty() ? QString() : QStringLiteral("\n"));
}

void LogPanel::copyAll() {
    QApplication::clipboard()->setText(text());
}

void LogPanel::find() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

} // namespace trainyard
