#pragma once

#include "core/config/RunConfig.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace trainyard {

/// A list of datasets: format, path, batch size and what else an entry says, a line each. UI thread only.
class DatasetsEditor final : public QWidget {
    Q_OBJECT
public:
    explicit DatasetsEditor(QWidget* parent = nullptr);
    void setEntries(const std::vector<DatasetConfig>& entries);
    const std::vector<DatasetConfig>& entries() const { return m_entries; }

Q_SIGNALS:
    void edited(const std::vector<trainyard::DatasetConfig>& entries);
    void focused();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeLine(std::size_t at);
    void rebuild();
    void browse(std::size_t at);

    std::vector<DatasetConfig> m_entries;
    QVBoxLayout* m_lines;
    bool m_isEditing = false;
};

} // namespace trainyard
