#pragma once

#include "core/config/Schema.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;

namespace trainyard {

/// One field of the schema as a row of a form: name, an editor by its type, unit and default, what is wrong beneath.
/// What is typed goes out as YAML on one line; what to show comes in. UI thread only.
class FieldRow final : public QWidget {
    Q_OBJECT
public:
    FieldRow(const Field& field, QWidget* parent = nullptr);

    const Field& field() const { return m_field; }
    void setValue(const FieldValue& value);
    void setProblem(const QString& sentence); ///< empty is none
    QString problem() const;
    QWidget* editor() const { return m_editor; }
    /// Name and help hold every word.
    bool matches(const QStringList& words) const;

Q_SIGNALS:
    void edited(const QString& key, const QString& value);
    void resetAsked(const QString& key);
    void focused(const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeEditor();
    QString typedText(const QString& text) const;
    void followTheme();
    void step(int by);

    const Field& m_field;
    QLabel* m_name;
    QWidget* m_editor = nullptr;
    QLabel* m_unit;
    QToolButton* m_reset;
    QLabel* m_problem;
    bool m_isChanged = false;
    bool m_isSetting = false;
};

/// "Base lr" of "solve.base_lr".
QString readableName(const std::string& key);

} // namespace trainyard
