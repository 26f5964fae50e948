#include "app/workbench/monitor/SamplePictures.h"

#include "widgets/theme/Numbers.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace trainyard {
namespace {

constexpr const char* kFolder = "pictures";

struct SamplePicturesText {
    Q_DECLARE_TR_FUNCTIONS(SamplePictures)
};

QString fileOf(const std::filesystem::path& runFolder, std::int64_t iteration, const char* suffix) {
    const QString name =
        QStringLiteral("iteration-%1.%2").arg(iteration, 8, 10, QLatin1Char('0')).arg(QLatin1String(suffix));
    return QString::fromStdString((runFolder / kFolder / name.toStdString()).string());
}

SamplePictures::Sample sampleOf(const QJsonObject& object) {
    SamplePictures::Sample sample;
    const QJsonArray place = object[QStringLiteral("place")].toArray();
    const auto at = [&](int index) { return int(place.at(index).toDouble()); };
    sample.place = QRect(QPoint(at(0), at(1)), QPoint(at(2) - 1, at(3) - 1));
    sample.name = object[QStringLiteral("image")].toString();
    if (object.contains(QStringLiteral("text"))) {
        sample.truth = object[QStringLiteral("transcript")].toString();
        sample.said = object[QStringLiteral("text")].toString();
        sample.score = object[QStringLiteral("score")].toDouble();
        sample.isRight = sample.truth == sample.said;
        sample.isReading = true;
    } else {
        const auto found = object[QStringLiteral("detections")].toArray();
        const auto isSure = [](const QJsonValue& each) {
            return each.toObject()[QStringLiteral("score")].toDouble() >= 0.5;
        };
        sample.truth = theme::countText(object[QStringLiteral("objects")].toInt());
        sample.said = theme::countText(std::count_if(found.begin(), found.end(), isSure));
    }
    return sample;
}

} // namespace

std::vector<std::int64_t> pictureIterations(const std::filesystem::path& runFolder) {
    std::vector<std::int64_t> iterations;
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator(runFolder / kFolder, code)) {
        const QString name = QString::fromStdString(entry.path().filename().string());
        bool isNumber = false;
        const qint64 iteration = name.mid(10, name.size() - 14).toLongLong(&isNumber);
        if (name.startsWith(QLatin1String("iteration-")) && name.endsWith(QLatin1String(".png")) && isNumber)
            iterations.push_back(iteration);
    }
    std::sort(iterations.begin(), iterations.end());
    return iterations;
}

std::optional<SamplePictures> readPictures(const std::filesystem::path& runFolder, std::int64_t iteration) {
    SamplePictures pictures;
    pictures.iteration = iteration;
    if (!pictures.sheet.load(fileOf(runFolder, iteration, "png")))
        return std::nullopt;
    QFile list(fileOf(runFolder, iteration, "json"));
    if (list.open(QIODevice::ReadOnly))
        for (const QJsonValue& value : QJsonDocument::fromJson(list.readAll()).array()) {
            auto sample = sampleOf(value.toObject());
            if (!sample.place.isEmpty() && pictures.sheet.rect().contains(sample.place))
                pictures.samples.push_back(std::move(sample));
        }
    if (pictures.samples.empty())
        pictures.samples.push_back({pictures.sheet.rect(), {}, {}, {}, 0, true, false});
    return pictures;
}

QString verdict(const SamplePictures::Sample& sample) {
    if (sample.name.isEmpty())
        return SamplePicturesText::tr("samples of the evaluation");
    if (!sample.isReading)
        return SamplePicturesText::tr("%1 objects, %2 found with a score of 0.5 or more").arg(sample.truth, sample.said);
    const QString score = theme::valueText(sample.score);
    return sample.isRight ? SamplePicturesText::tr("reads “%1”, which is right (score %2)").arg(sample.said, score)
                          : SamplePicturesText::tr("reads “%1”, but it says “%2” (score %3)").arg(sample.said, sample.truth, score);
}

} // namespace trainyard
