#pragma once

#include "core/config/ConfigFile.h"

#include <QPalette>
#include <QSyntaxHighlighter>

namespace trainyard {

/// Keys, comments and quoted text in their tones, and a wavy line under what is wrong. UI thread only.
class YamlHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;
    void setProblems(const std::vector<ConfigProblem>& problems);
    void setPalette(const QPalette& palette);

protected:
    void highlightBlock(const QString& text) override;

private:
    std::vector<ConfigProblem> m_problems;
    QPalette m_palette;
};

} // namespace trainyard
