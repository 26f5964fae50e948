#pragma once

#include "core/config/ConfigFile.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

namespace trainyard {

/// The configuration being prepared: one text, what it says, and one history for edits in the form and in the YAML
/// alike. The text is the truth; the form shows what it parses to. UI thread only.
class ConfigDocument final : public QObject {
    Q_OBJECT
public:
    explicit ConfigDocument(QObject* parent = nullptr);

    const QString& text() const { return m_text; }
    const ParsedConfig& parsed() const { return m_parsed; }
    /// Whether the text is YAML at all; while it is not, `parsed` keeps what was read last.
    bool isReadable() const { return m_isReadable; }
    QUndoStack* history() { return &m_history; }

    void typeText(const QString& text);                      ///< the YAML editor's edits; typing on merges
    void setValue(const QString& key, const QString& value); ///< the form's edits; typing on in one field merges
    void reset(const QString& key);
    void replace(const QString& text, const QString& what); ///< a preset, a file, a run's configuration
    void begin(const QString& text);                        ///< the first text, without history

Q_SIGNALS:
    void changed();

private:
    class Edit;
    void push(const QString& after, const QString& what, const QString& mergeKey);
    void apply(const QString& text);

    QString m_text;
    ParsedConfig m_parsed;
    bool m_isReadable = true;
    QUndoStack m_history;
};

} // namespace trainyard
