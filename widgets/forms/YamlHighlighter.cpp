#include "widgets/forms/YamlHighlighter.h"

#include "widgets/theme/Theme.h"

#include <QRegularExpression>
#include <QTextDocument>

#include <algorithm>

namespace trainyard {

void YamlHighlighter::setProblems(const std::vector<ConfigProblem>& problems) {
    const auto same = [](const ConfigProblem& a, const ConfigProblem& b) {
        return a.line == b.line && a.column == b.column && a.message == b.message;
    };
    if (std::equal(problems.begin(), problems.end(), m_problems.begin(), m_problems.end(), same))
        return;
    m_problems = problems;
    rehighlight();
}

void YamlHighlighter::setPalette(const QPalette& palette) {
    m_palette = palette;
    rehighlight();
}

void YamlHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression keys(QStringLiteral(R"(^\s*(?:- )?([A-Za-z_][\w]*)\s*:)"));
    static const QRegularExpression comments(QStringLiteral(R"((?:^|\s)#.*$)"));
    const auto key = keys.match(text);
    if (key.hasMatch())
        setFormat(int(key.capturedStart(1)), int(key.capturedLength(1)), theme::seriesColour(0, m_palette));
    const auto comment = comments.match(text);
    if (comment.hasMatch()) {
        QTextCharFormat format;
        format.setForeground(theme::dimText(m_palette));
        format.setFontItalic(true);
        setFormat(int(comment.capturedStart()), int(comment.capturedLength()), format);
    }
    for (const ConfigProblem& problem : m_problems) {
        if (problem.line != currentBlock().blockNumber() + 1 || text.isEmpty())
            continue;
        const int start = std::clamp(problem.column - 1, 0, int(text.size()) - 1);
        int length =
            int(comment.hasMatch() && comment.capturedStart() > start ? comment.capturedStart() : text.size()) - start;
        QTextCharFormat format = this->format(start);
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(theme::toneColour(theme::Tone::Bad, m_palette));
        setFormat(start, length, format);
    }
}

} // namespace trainyard
