#pragma once

#include "app/workbench/data/DataSource.h"

#include <QScrollArea>

class QHBoxLayout;

namespace trainyard {

class BarsView;

/// Distributions of one set side by side: classes, sizes and shapes of boxes, lengths and characters of words, sizes of
/// pictures. UI thread only.
class DataCharts final : public QScrollArea {
    Q_OBJECT
public:
    explicit DataCharts(QWidget* parent = nullptr);
    void setInspection(const Inspection& inspection);
    const std::vector<BarsView*>& charts() const { return m_charts; } ///< those that are shown
    QSize sizeHint() const override;

Q_SIGNALS:
    void classChosen(int label);

private:
    BarsView* add(const QString& title);
    void addDistribution(const QString& title, const Distribution& distribution, const QString& unit);
    void addCharacters(const Inspection& inspection);

    QWidget* m_content;
    QHBoxLayout* m_row;
    std::vector<BarsView*> m_charts;
};

} // namespace trainyard
