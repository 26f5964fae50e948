#pragma once

#include "app/workbench/data/SampleIndex.h"
#include "app/workbench/engine/Engine.h"

#include <QObject>
#include <QSet>
#include <QThreadPool>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>

namespace trainyard {

/// What was found in one set.
struct SetLook {
    SampleIndex index;
    Inspection inspection;
};

/// Something wrong with the data, and the picture to jump to.
struct ProblemPlace {
    DataProblem problem;
    int set = -1;             ///< -1: of no picture that is shown
    std::int64_t sample = -1; ///< its number in the set
};

/// The data of the configuration being written, opened as a training would open it, and what is found in it. Opens
/// anew a moment after it changed, on a thread of its own, and only while somebody looks. UI thread only.
class DataSource final : public QObject {
    Q_OBJECT
public:
    enum class State { NoEngine, NoData, Opening, Failed, Open };

    explicit DataSource(QObject* parent = nullptr);
    ~DataSource() override; ///< gives up what is being read and waits for its thread

    void setEngine(std::shared_ptr<Engine> engine);
    void setEngineTrouble(const QString& sentence);
    void setProjectFolder(const std::filesystem::path& folder);
    void setConfig(const RunConfig& config);
    void setActive(bool isLookedAt);
    void lookAgain(); ///< opens anew even though nothing changed
    void cancel();    ///< gives up opening, or decoding every picture

    State state() const;
    QString trouble() const { return m_trouble; }
    QString progress() const { return m_progress; } ///< what is being done just now; empty: nothing
    std::shared_ptr<const OpenedData> data() const { return m_data; }
    /// Null until its samples were counted.
    std::shared_ptr<const SetLook> look(std::size_t set) const;
    /// Samples of the set that are shown: of endless ones the first thousand.
    std::int64_t count(std::size_t set) const;
    const std::vector<ProblemPlace>& problems() const { return m_problems; }
    bool wantsAttention() const;                          ///< it cannot be opened, or pictures cannot be used
    const QSet<QString>& troubled(std::size_t set) const; ///< names of its samples with problems
    QStringList classes(std::size_t set) const;

    /// Decodes every picture of all sets, to find the damaged ones.
    void checkPictures();
    bool isChecking() const { return m_isChecking; }
    bool isChecked() const { return m_isChecked; }
    /// A picture that could not be decoded joins the problems.
    void addDamage(std::size_t set, std::int64_t sample, const QString& sentence);

Q_SIGNALS:
    void changed();     ///< state, progress, what is known of the sets
    void aboutToOpen(); ///< what was open goes
    void opened();      ///< other data, or none
    void problemsChanged();

private:
    void open();
    void lookAt(std::size_t set);
    void checkFrom(std::size_t set);
    void reset(State state);
    void collectProblems();
    void place(ProblemPlace& place, std::size_t knownSet) const;
    LookControl control();
    void report(const QString& text, std::int64_t done, std::int64_t total);

    QThreadPool m_pool; ///< one thread
    QTimer m_soon;
    std::shared_ptr<Engine> m_engine;
    std::filesystem::path m_folder;
    RunConfig m_config;
    std::optional<RunConfig> m_opened; ///< what was asked for last
    bool m_isActive = false, m_isChecking = false, m_isChecked = false;
    State m_state = State::NoData;
    CancellationToken m_token;
    int m_question = 0; ///< answers to older ones are dropped
    QString m_trouble, m_engineTrouble, m_progress;
    std::shared_ptr<const OpenedData> m_data;
    std::vector<std::shared_ptr<const SetLook>> m_looks;
    std::vector<ProblemPlace> m_problems;
    std::vector<std::pair<std::size_t, DataProblem>> m_damage; ///< found while decoding
    std::vector<QSet<QString>> m_troubled;
};

} // namespace trainyard
