#pragma once

#include "core/config/ConfigFile.h"

#include <QWidget>

#include <map>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;

namespace trainyard {

class FieldRow;

/// The whole schema as a form: groups at the left, fields in the middle, a search over names and help, help of the
/// focused field beneath. UI thread only.
class ConfigForm final : public QWidget {
    Q_OBJECT
public:
    explicit ConfigForm(QWidget* parent = nullptr);

    void setParsed(const ParsedConfig& parsed);
    FieldRow* row(const std::string& key) const;
    void focusKey(const std::string& key);
    void find();
    QLineEdit* search() const { return m_search; }

Q_SIGNALS:
    void edited(const QString& key, const QString& value);
    void resetAsked(const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Group {
        std::string section;
        QLabel* title;
        std::vector<FieldRow*> rows;
    };
    void makeRows(QWidget* content);
    void filter();
    void showHelp(const QString& key);
    void followScroll();

    QLineEdit* m_search;
    QListWidget* m_groupList;
    QScrollArea* m_scroll;
    QLabel* m_help;
    std::vector<Group> m_groups;
    std::map<std::string, FieldRow*> m_rows;
    std::string m_modelType;
};

} // namespace trainyard
