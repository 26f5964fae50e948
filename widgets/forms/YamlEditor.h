#pragma once

#include "core/config/ConfigFile.h"

#include <QPlainTextEdit>

namespace trainyard {

class YamlHighlighter;

/// The text of a configuration with line numbers and its problems underlined. Keeps no history of its own: every edit
/// goes out as `textEdited`, and `setText` changes only what differs, so the caret stays where it is. UI thread only.
class YamlEditor final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit YamlEditor(QWidget* parent = nullptr);

    void setText(const QString& text);
    void setProblems(const std::vector<ConfigProblem>& problems);
    void goTo(int line, int column);
    void zoom(int steps);

    int gutterWidth() const;
    void paintGutter(QWidget* gutter);

Q_SIGNALS:
    void textEdited(const QString& text);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const ConfigProblem* problemAt(int line) const;
    bool m_isSetting = false;
    YamlHighlighter* m_highlighter;
    QWidget* m_gutter;
    std::vector<ConfigProblem> m_problems;
};

} // namespace trainyard
