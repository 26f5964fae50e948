#pragma once

#include <QJsonObject>
#include <QWidget>

#include <optional>

class QLabel;
class QSlider;
class QToolButton;

namespace trainyard {

struct PlotView;

/// What stands above the plots: smoothing, scale, the stretch in sight and the way back to everything. UI thread only.
class MonitorHead final : public QWidget {
    Q_OBJECT
public:
    explicit MonitorHead(QWidget* parent = nullptr);
    double smoothing() const;
    bool isLogIterations() const;
    bool showsSamples() const;
    void setView(const PlotView& view, bool isArranged);
    void setCursor(std::optional<double> iteration);
    /// Whether there are pictures of samples to show or hide.
    void setSamples(bool hasSamples);

    void save(QJsonObject& settings) const;
    void load(const QJsonObject& settings);

Q_SIGNALS:
    void smoothingChanged(double weight);
    void logIterationsChanged(bool isLog);
    void samplesToggled(bool isShown);
    void allAsked();
    void arrangementResetAsked();

private:
    QToolButton* addButton(const QString& text, const QString& tip, bool isCheckable);

    QSlider* m_smoothing;
    QLabel *m_smoothingValue, *m_cursor, *m_range;
    QToolButton *m_logIterations, *m_samples, *m_reset, *m_all;
};

} // namespace trainyard
