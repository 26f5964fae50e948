#include "widgets/forms/YamlEditor.h"

#include "widgets/forms/YamlHighlighter.h"
#include "widgets/theme/Theme.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace trainyard {
namespace {

class Gutter final : public QWidget {
public:
    explicit Gutter(YamlEditor* editor) : QWidget(editor), m_editor(editor) {}

protected:
    void paintEvent(QPaintEvent*) override { m_editor->paintGutter(this); }

private:
    YamlEditor* m_editor;
};

} // namespace

YamlEditor::YamlEditor(QWidget* parent)
    : QPlainTextEdit(parent), m_highlighter(new YamlHighlighter(document())), m_gutter(new Gutter(this)) {
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false); // the document's one history has form and text edits
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabStopDistance(fontMetrics().horizontalAdvance(QLatin1Char(' ')) * 2);
    setAccessibleName(tr("Configuration as YAML"));
    m_highlighter->setPalette(palette());
    setViewportMargins(gutterWidth(), 0, 0, 0);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isSetting)
            Q_EMIT textEdited(toPlainText());
    });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy != 0)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(gutterWidth(), 0, 0, 0); });
}

void YamlEditor::setText(const QString& text) {
    const QString before = toPlainText();
    if (before == text)
        return;
    qsizetype head = 0;
    const qsizetype shorter = std::min(before.size(), text.size());
    while (head < shorter && before[head] == text[head])
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && before[before.size() - 1 - tail] == text[text.size() - 1 - tail])
        ++tail;
    m_isSetting = true;
    QTextCursor edit(document());
    edit.setPosition(int(head));
    edit.setPosition(int(before.size() - tail), QTextCursor::KeepAnchor);
    edit.insertText(text.mid(head, text.size() - tail - head));
    m_isSetting = false;
}

void YamlEditor::setProblems(const std::vector<ConfigProblem>& problems) {
    m_problems = problems;
    m_isSetting = true; // a new underline counts as a change of contents
    m_highlighter->setProblems(problems);
    m_isSetting = false;
    m_gutter->update();
}

const ConfigProblem* YamlEditor::problemAt(int line) const {
    const auto at =
        std::find_if(m_problems.begin(), m_problems.end(), [&](const auto& each) { return each.line == line; });
    return at == m_problems.end() ? nullptr : &*at;
}

void YamlEditor::goTo(int line, int column) {
    QTextCursor cursor(document()->findBlockByNumber(std::max(0, line - 1)));
    cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
                        std::clamp(column - 1, 0, std::max(0, cursor.block().length() - 1)));
    setTextCursor(cursor);
    centerCursor();
    setFocus();
}

void YamlEditor::zoom(int steps) {
    QFont larger = font();
    larger.setPointSizeF(std::clamp(larger.pointSizeF() + steps, 6.0, 28.0));
    setFont(larger);
    setViewportMargins(gutterWidth(), 0, 0, 0);
}

int YamlEditor::gutterWidth() const {
    const int digits = std::max(2, int(QString::number(blockCount()).size()));
    return fontMetrics().horizontalAdvance(QLatin1Char('0')) * digits + 5 * theme::quarter(this);
}

void YamlEditor::paintGutter(QWidget* gutter) {
    QPainter painter(gutter);
    painter.fillRect(gutter->rect(), palette().base());
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top < gutter->height()) {
        const int line = block.blockNumber() + 1;
        const bool isWrong = problemAt(line) != nullptr;
        painter.setPen(isWrong                                  ? theme::toneColour(theme::Tone::Bad, palette())
                       : line == textCursor().blockNumber() + 1 ? palette().color(QPalette::Text)
                                                                : palette().color(QPalette::PlaceholderText));
        painter.drawText(QRectF(0, top, gutter->width() - 3 * theme::quarter(this), fontMetrics().height()),
                         Qt::AlignRight, QString::number(line));
        if (isWrong)
            painter.fillRect(QRectF(0, top, 3, fontMetrics().height()), painter.pen().color());
        top += blockBoundingRect(block).height();
        block = block.next();
    }
}

bool YamlEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the window's action does it
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int line = cursorForPosition(viewport()->mapFrom(this, help->pos())).blockNumber() + 1;
        const ConfigProblem* problem = problemAt(line);
        QToolTip::showText(help->globalPos(), problem ? QString::fromStdString(problem->message) : QString(), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

void YamlEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier)
        return insertPlainText(QStringLiteral("  ")); // YAML knows no tabs
    if (event->key() == Qt::Key_Return && event->modifiers() == Qt::NoModifier) {
        const QString line = textCursor().block().text().left(textCursor().positionInBlock());
        QString indent;
        for (const QChar c : line) {
            if (c != QLatin1Char(' '))
                break;
            indent += c;
        }
        if (line.trimmed().endsWith(QLatin1Char(':')))
            indent += QStringLiteral("  ");
        return insertPlainText(QLatin1Char('\n') + indent);
    }
    QPlainTextEdit::keyPressEvent(event);
}

void YamlEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    m_gutter->setGeometry(contentsRect().left(), contentsRect().top(), gutterWidth(), contentsRect().height());
}

void YamlEditor::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_highlighter) {
        m_isSetting = true;
        m_highlighter->setPalette(palette());
        m_isSetting = false;
    }
}

} // namespace trainyard
