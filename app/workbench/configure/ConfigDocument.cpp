#include "app/workbench/configure/ConfigDocument.h"

#include "widgets/forms/YamlText.h"

#include <QUndoCommand>

#include <algorithm>

namespace trainyard {
namespace {

/// Whether going from `before` to `after` puts in or takes out a single character that is not white space.
bool isKeystroke(const QString& before, const QString& after) {
    const QString& longer = before.size() > after.size() ? before : after;
    const QString& shorter = before.size() > after.size() ? after : before;
    if (longer.size() != shorter.size() + 1)
        return false;
    const auto at = std::mismatch(shorter.begin(), shorter.end(), longer.begin()).second - longer.begin();
    return !longer[at].isSpace() && QStringView(longer).mid(at + 1) == QStringView(shorter).mid(at);
}

} // namespace

class ConfigDocument::Edit final : public QUndoCommand {
public:
    Edit(ConfigDocument& document, QString after, const QString& what, QString mergeKey)
        : QUndoCommand(what), m_document(document), m_before(document.m_text), m_after(std::move(after)),
          m_mergeKey(std::move(mergeKey)) {}

    void undo() override { m_document.apply(m_before); }
    void redo() override { m_document.apply(m_after); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const Edit*>(other);
        if (next->m_mergeKey != m_mergeKey)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    ConfigDocument& m_document;
    QString m_before, m_after, m_mergeKey;
};

ConfigDocument::ConfigDocument(QObject* parent) : QObject(parent) {}

void ConfigDocument::push(const QString& after, const QString& what, const QString& mergeKey) {
    if (after != m_text)
        m_history.push(new Edit(*this, after, what, mergeKey));
}

void ConfigDocument::typeText(const QString& text) {
    push(text, tr("Edit YAML"), isKeystroke(m_text, text) ? QStringLiteral("yaml") : QString());
}

void ConfigDocument::setValue(const QString& key, const QString& value) {
    if (!m_isReadable)
        return; // the form is closed while the text cannot be read
    const std::string after = yaml::withKey(m_text.toStdString(), key.toStdString(), value.toStdString());
    push(QString::fromStdString(after), tr("Change %1").arg(key), QStringLiteral("field:") + key);
}

void ConfigDocument::reset(const QString& key) {
    if (m_isReadable)
        push(QString::fromStdString(yaml::withoutKey(m_text.toStdString(), key.toStdString())), tr("Reset %1").arg(key),
             {});
}

void ConfigDocument::replace(const QString& text, const QString& what) {
    push(text, what, {});
}

void ConfigDocument::begin(const QString& text) {
    m_history.clear();
    apply(text);
}

void ConfigDocument::apply(const QString& text) {
    m_text = text;
    ParsedConfig parsed = parseConfig(text.toStdString(), {});
    // a text that is no YAML has one problem, without a key, and nothing was read from it
    m_isReadable = !(parsed.problems.size() == 1 && parsed.problems.front().key.empty() && parsed.places.empty() &&
                     !text.trimmed().isEmpty());
    if (!m_isReadable)
        parsed.config = m_parsed.config;
    m_parsed = std::move(parsed);
    Q_EMIT changed();
}

} // namespace trainyard
