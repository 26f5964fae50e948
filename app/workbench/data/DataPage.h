#pragma once

#include "app/workbench/data/DataSource.h"
#include "app/workbench/data/PictureGrid.h"
#include "app/workbench/data/ProblemsModel.h"

#include <QJsonObject>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedLayout;
class QToolButton;

namespace trainyard {

class Actions;
class DataCharts;
class EmptyState;
class PictureViewer;
class QuietTable;

/// The data of the configuration being written: its pictures with what is annotated in them, distributions above, what
/// is wrong with it beside; a picture opens large. UI thread only.
class DataPage final : public QWidget {
    Q_OBJECT
public:
    DataPage(const Actions& actions, std::shared_ptr<ThumbnailCache> cache, QWidget* parent = nullptr);
    ~DataPage() override;

    DataSource* source() { return &m_source; }
    PictureGrid* grid() const { return m_grid; }
    PictureModel* model() const { return m_model; }
    PictureViewer* viewer() const { return m_viewer; }
    DataCharts* charts() const { return m_charts; }
    QuietTable* problems() const { return m_problemTable; }
    EmptyState* emptyState() const { return m_empty; }
    bool isViewerOpen() const;

    void find();
    void zoom(int by);
    /// Its problem's picture, large. False where it is none of those shown.
    bool showProblem(int row);

    QJsonObject settings() const;
    void setSettings(const QJsonObject& settings);

Q_SIGNALS:
    void settingsChanged();
    void folderChosen(const QString& path); ///< to be trained on

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // DataPage.cpp: how it is put together
    void makeActions(const Actions& actions);
    QWidget* makeHead();
    QWidget* makeProblems();
    QWidget* makeFoot();
    QWidget* makeGallery();
    void connectParts();
    void chooseFolder();
    // DataPageState.cpp: what is shown when
    void showState();
    void showOpened();
    void showSets();
    void showLook();
    void orderTabs();
    void showCounts();
    void showLayers();
    void chooseSet(int set);
    void fillKinds();
    void applyFilter();
    void takeFiltered(std::vector<std::int64_t> samples);
    void openSample(std::int64_t sample);
    void stepSample(int by);
    void closeViewer();
    SampleFilter filter() const;
    // DataPageSettings.cpp: what is remembered
    void comeBack();
    void keepPlace();

    DataSource m_source;
    ThumbnailLoader m_loader;
    PictureModel* m_model;
    ProblemsModel* m_problems;
    QList<QAction*> m_layers; ///< boxes, masks, keypoints, names
    QAction *m_addFolder = nullptr, *m_cancel = nullptr, *m_again = nullptr, *m_toConfigure = nullptr,
            *m_check = nullptr, *m_showCharts = nullptr;
    QComboBox *m_sets = nullptr, *m_kind = nullptr;
    QLineEdit* m_search = nullptr;
    PictureGrid* m_grid;
    DataCharts* m_charts;
    QuietTable* m_problemTable;
    QLabel *m_problemTitle = nullptr, *m_problemHint = nullptr, *m_counts = nullptr, *m_progress = nullptr,
           *m_nothing = nullptr;
    QToolButton *m_cancelButton = nullptr, *m_lastOfHead = nullptr;
    QSplitter* m_splitter;
    PictureViewer* m_viewer = nullptr;
    EmptyState* m_empty;
    QStackedLayout *m_stack, *m_galleryStack = nullptr;
    QTimer m_filterSoon;
    int m_filterQuestion = 0;
    bool m_hasShownSets = false, m_isFilling = false;
    DataSource::State m_shownState = DataSource::State::NoEngine;
    QString m_shownTrouble;
    bool m_hasShownState = false;
    std::size_t m_set = 0;
    std::shared_ptr<const SetLook> m_shownLook;
    QJsonObject m_place; ///< where to come back to once the data is there
};

} // namespace trainyard
