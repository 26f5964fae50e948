#include "core/data/ImageHeader.h"
#include "tests/core/data/Worlds.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr std::int64_t kMost = 100'000'000;

/// Red left half, blue right half.
Image halves(int width, int height) {
    Image image = plainImage(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::uint8_t* p = image.row(y) + 3 * x;
            p[0] = x < width / 2 ? 255 : 0;
            p[1] = 0;
            p[2] = x < width / 2 ? 0 : 255;
        }
    return image;
}

double meanDifference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        sum += std::abs(int(a.pixels[i]) - int(b.pixels[i]));
    return sum / double(a.pixels.size());
}

} // namespace

class tst_ImageFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesAndReadsRedFirst() {
        const ScratchFolder folder;
        for (const char* name : {"a.png", "a.jpg"}) {
            const std::string path = (folder / name).string();
            QVERIFY(writeImage(path, halves(32, 16)).has_value());
            const auto image = readImage(path, 3, kMost);
            VERIFY_RESULT(image);
            QCOMPARE(image->width, 32);
            QVERIFY(image->row(8)[3 * 2] > 230);
            QVERIFY(image->row(8)[3 * 29 + 2] > 230);
        }
    }

    void readsPathsOfAnyKind() {
        const ScratchFolder folder;
        for (const char* name : {"a b.png", "it's \"quoted\".png", "new\nline.png", "größe 漢字.png", "#part.png"}) {
            const std::string path = (folder / name).string();
            QVERIFY(writeImage(path, halves(8, 8)).has_value());
            VERIFY_RESULT(readImage(path, 0, kMost));
        }
    }

    void decidesByContentNotByName() {
        const ScratchFolder folder;
        QVERIFY(writeImage((folder / "a.jpg").string(), halves(32, 16)).has_value());
        std::filesystem::rename(folder / "a.jpg", folder / "a.png");
        QCOMPARE(readImageHeader(*readFile(folder / "a.png")).kind, ImageKind::Jpeg);
        VERIFY_RESULT(readImage((folder / "a.png").string(), 3, kMost));
    }

    void refusesTooManyPixelsBeforeDecoding() {
        const ScratchFolder folder;
        QVERIFY(writeImage((folder / "a.png").string(), halves(100, 100)).has_value());
        std::string bytes = *readFile(folder / "a.png");
        // the header now claims a billion pixels; decoding it would fail with "damaged"
        bytes[16] = 0, bytes[17] = 0, bytes[18] = char(0x80), bytes[19] = 0;
        bytes[20] = 0, bytes[21] = 0, bytes[22] = char(0x80), bytes[23] = 0;
        VERIFY_ERROR(decodeImage(bytes, "bomb.png", 3, kMost), "32768 x 32768");
        VERIFY_ERROR(readImage((folder / "a.png").string(), 3, 9999), "data.max_pixels");
        VERIFY_RESULT(readImage((folder / "a.png").string(), 3, 10000));
    }

    void refusesEveryTruncation_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("jpeg") << "a.jpg";
        QTest::newRow("png") << "a.png";
    }

    void refusesEveryTruncation() {
        QFETCH(QString, name);
        const ScratchFolder folder;
        const std::string path = (folder / name.toStdString()).string();
        QVERIFY(writeImage(path, halves(64, 64)).has_value());
        const std::string bytes = *readFile(path);
        for (std::size_t length = 0; length + 1 < bytes.size(); length += 7) {
            const auto image = decodeImage(bytes.substr(0, length), "cut", 3, kMost);
            QVERIFY2(!image.has_value(), std::to_string(length).c_str());
            QCOMPARE(image.error().kind, ErrorKind::Data);
            QCOMPARE(image.error().where, std::string("cut"));
        }
    }

    void namesAMissingAndAForeignFile() {
        VERIFY_ERROR(readImage("/nowhere/a.png", 3, kMost), "/nowhere/a.png");
        VERIFY_ERROR(decodeImage("GIF89a...", "a.gif", 3, kMost), "no picture of a known kind");
        VERIFY_ERROR(decodeImage("", "empty.png", 3, kMost), "empty");
    }

    /// Every picture of the folder, upright, in the size that Pillow reads; what it refuses is refused by name.
    void everyEdgeCaseIsReadOrNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height"); // 0: refused
#include "tests/data/edge_case_sizes.inc"
    }

    void everyEdgeCaseIsReadOrNamed() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        QFETCH(QString, name);
        QFETCH(int, width);
        QFETCH(int, height);
        const auto path = data / name.toStdString();
        for (const int channels : {0, 1, 3}) {
            const auto image = readImage(path.string(), channels, kMost);
            if (height == 0) {
                VERIFY_ERROR(image, path.filename().string());
                continue;
            }
            VERIFY_RESULT(image);
            QCOMPARE(image->width, width);
            QCOMPARE(image->height, height);
            QVERIFY(channels == 0 ? image->channels == 1 || image->channels == 3 : image->channels == channels);
        }
    }

    void showsOnePictureInAllContainers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("tolerance"); // mean difference to hopper.png, of 255
        QTest::newRow("bmp") << "hopper.bmp" << 0.01;
        QTest::newRow("tiff") << "hopper.tif" << 0.01;
        QTest::newRow("jpeg") << "hopper.jpg" << 6.0;
        QTest::newRow("webp") << "hopper.webp" << 8.0;
        for (const char* turned : {"2", "3", "4", "5", "6", "7", "8"})
            QTest::newRow(turned) << QString("hopper_orientation_%1.jpg").arg(turned) << 8.0;
    }

    void showsOnePictureInAllContainers() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        QFETCH(QString, name);
        QFETCH(double, tolerance);
        const auto reference = readImage((data / "pillow/hopper.png").string(), 3, kMost);
        const auto image = readImage((data / "pillow" / name.toStdString()).string(), 3, kMost);
        VERIFY_RESULT(reference);
        VERIFY_RESULT(image);
        QCOMPARE(image->width, reference->width);
        QCOMPARE(image->height, reference->height);
        const double difference = meanDifference(*image, *reference);
        QVERIFY2(difference <= tolerance, std::to_string(difference).c_str());
    }

    void showsExifPicturesUpright() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        const auto folder = data / "exif_orientation";
        const auto reference = readImage((folder / "Landscape_1.jpg").string(), 3, kMost);
        VERIFY_RESULT(reference);
        for (int i = 0; i <= 8; ++i) {
            const auto image = readImage((folder / ("Landscape_" + std::to_string(i) + ".jpg")).string(), 3, kMost);
            VERIFY_RESULT(image);
            QCOMPARE(image->width, 1800);
            QCOMPARE(image->height, 1200);
            QVERIFY2(meanDifference(*image, *reference) < 12, std::to_string(i).c_str());
        }
    }

    /// Values that Pillow 12 gives (tests/data/image_reference.py).
    void convertsAsPillowDoes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QVector<double>>("means"); // red, green, blue over white
#include "tests/data/image_reference.inc"
    }

    void convertsAsPillowDoes() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        QFETCH(QString, name);
        QFETCH(QVector<double>, means);
        const auto image = readImage((data / "pillow" / name.toStdString()).string(), 3, kMost);
        VERIFY_RESULT(image);
        for (std::size_t c = 0; c < 3; ++c) {
            double mean = 0;
            for (std::size_t i = c; i < image->pixels.size(); i += 3)
                mean += image->pixels[i];
            mean /= double(image->pixels.size() / 3);
            QVERIFY2(std::abs(mean - means[qsizetype(c)]) < 1.0,
                     qPrintable(QString("channel %1: %2, expected %3").arg(c).arg(mean).arg(means[qsizetype(c)])));
        }
    }

    void scalesSixteenBitsToEight() {
        // a 2 x 1 grey PNG of 16 bits with the values 0x0000 and 0x8080, written by hand (Python's zlib and binascii)
        static const unsigned char bytes[] = {
            0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
            0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x10, 0x00, 0x00, 0x00, 0x00, 0x81, 0xd9, 0xfc, 0x15, 0x00, 0x00, 0x00,
            0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x60, 0x68, 0x68, 0x00, 0x00, 0x01, 0x85, 0x01, 0x01,
            0x05, 0x6e, 0x5d, 0x36, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
        const auto image =
            decodeImage(std::string(reinterpret_cast<const char*>(bytes), sizeof bytes), "16.png", 0, kMost);
        VERIFY_RESULT(image);
        QCOMPARE(image->channels, 1);
        QCOMPARE(int(image->pixels[0]), 0);
        QCOMPARE(int(image->pixels[1]), 0x80);
    }
};

QTEST_GUILESS_MAIN(tst_ImageFile)
#include "tst_ImageFile.moc"
