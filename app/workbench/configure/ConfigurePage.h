#pragma once

#include "app/workbench/configure/ConfigDocument.h"

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;

namespace trainyard {

class Actions;
class ConfigFacts;
class ConfigForm;
class Forecaster;
class YamlEditor;

/// Where a run is prepared: form and YAML of one document side by side, and above them what will happen. UI thread
/// only.
class ConfigurePage final : public QWidget {
    Q_OBJECT
public:
    ConfigurePage(const Actions& actions, QWidget* parent = nullptr);

    ConfigDocument* document() { return &m_document; }
    ConfigForm* form() const { return m_form; }
    YamlEditor* yaml() const { return m_yaml; }
    Forecaster* forecaster() const { return m_forecaster; }
    ConfigFacts* facts() const { return m_facts; }
    QMenu* presetMenu() const { return m_presets; }
    QString runName() const;
    void setRunName(const QString& name);
    /// Loads a preset; the sentence that says why not otherwise.
    QString loadPreset(const QString& name);
    QString loadFile(const QString& path);
    QString saveFile(const QString& path) const;
    void loadText(const QString& text, const QString& what);
    void showFirstProblem();
    void find();
    void zoom(int steps);

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void messageRaised(const QString& text);
    void settingsChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHead(const Actions& actions);
    void makePresetMenu();
    void showDocument();
    void followTheme();

    ConfigDocument m_document;
    Forecaster* m_forecaster;
    QMenu* m_presets;
    QLineEdit* m_name = nullptr;
    ConfigFacts* m_facts = nullptr;
    ConfigForm* m_form;
    YamlEditor* m_yaml;
    QLabel *m_unreadable, *m_trouble;
    QSplitter* m_splitter;
};

} // namespace trainyard
