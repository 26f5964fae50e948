#include "tests/app/cli/TinyWorld.h"

#include "core/base/Fingerprint.h"
#include "core/data/Dataset.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace trainyard::testing {

namespace fs = std::filesystem;

namespace {
constexpr const char* kWords[] = {"cat", "door", "e7", "lamp", "oak", "pier", "r2d2", "sun", "toll", "yard"};

Image blank(int width, int height, int channels, std::uint8_t value) {
    return {width, height, channels,
            std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * std::size_t(channels), value)};
}

void fill(Image& image, int x1, int y1, int x2, int y2, int channel, std::uint8_t value) {
    for (int y = y1; y < y2; ++y)
        for (int x = x1; x < x2; ++x)
            image.row(y)[x * image.channels + channel] = value;
}

void save(const fs::path& path, const Image& image) {
    if (const auto written = writeImage(path.string(), image); !written)
        throw std::runtime_error(written.error().sentence());
}

/// Where the objects of picture `index` lie: bright red "disc"s and green "bar"s.
struct TinyObject {
    int label, x, y, width, height;
};
std::vector<TinyObject> objectsOf(int index) {
    std::vector<TinyObject> objects = {{index % 2, 4 + 3 * (index % 7), 6 + 2 * (index % 5), 20, 24}};
    if (index % 3 == 0)
        objects.push_back({1 - index % 2, 34, 30 - index % 4, 24, 18});
    return objects;
}

void savePicture(const fs::path& path, int index) {
    Image image = blank(64, 64, 3, 40);
    for (const TinyObject& object : objectsOf(index))
        fill(image, object.x, object.y, object.x + object.width, object.y + object.height, object.label, 230);
    save(path, image);
}
} // namespace

void writeText(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::string readText(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void makeWords(const fs::path& folder, int count) {
    fs::create_directories(folder);
    std::string labels;
    for (int i = 0; i < count; ++i) {
        const std::string word = kWords[i % 10];
        Image image = blank(16 * int(word.size()), 24, 1, 220);
        for (std::size_t c = 0; c < word.size(); ++c)
            for (int bit = 0; bit < 6; ++bit) // a bar code of the character
                if (word[c] >> bit & 1)
                    fill(image, int(c) * 16 + 2 * bit, 3, int(c) * 16 + 2 * bit + 2, 21, 0, 30);
        const std::string name = "word" + std::to_string(i) + ".png";
        save(folder / name, image);
        labels += name + " " + word + "\n";
    }
    writeText(folder / "labels.txt", labels);
}

void makeCoco(const fs::path& folder, int count) {
    fs::create_directories(folder / "images");
    nlohmann::json json = {{"images", nlohmann::json::array()},
                           {"annotations", nlohmann::json::array()},
                           {"categories", {{{"id", 3}, {"name", "disc"}}, {{"id", 7}, {"name", "bar"}}}}};
    int number = 0;
    for (int i = 0; i < count; ++i) {
        const std::string name = "picture" + std::to_string(i) + ".png";
        savePicture(folder / "images" / name, i);
        json["images"].push_back({{"id", 100 + i}, {"file_name", name}, {"width", 64}, {"height", 64}});
        for (const TinyObject& object : objectsOf(i))
            json["annotations"].push_back({{"id", ++number},
                                           {"image_id", 100 + i},
                                           {"category_id", object.label == 0 ? 3 : 7},
                                           {"bbox", {object.x, object.y, object.width, object.height}},
                                           {"area", object.width * object.height},
                                           {"iscrowd", 0}});
    }
    writeText(folder / "annotations.json", json.dump());
}

void makeVoc(const fs::path& folder, int count) {
    fs::create_directories(folder / "JPEGImages");
    std::string train, test;
    for (int i = 0; i < count; ++i) {
        const std::string stem = "picture" + std::to_string(i);
        savePicture(folder / "JPEGImages" / (stem + ".jpg"), i);
        std::string xml = "<annotation><filename>" + stem +
                          ".jpg</filename><size><width>64</width><height>64</height>"
                          "<depth>3</depth></size>";
        for (const TinyObject& object : objectsOf(i))
            xml += std::string("<object><name>") + (object.label == 0 ? "disc" : "bar") + "</name><bndbox><xmin>" +
                   std::to_string(object.x + 1) + "</xmin><ymin>" + std::to_string(object.y + 1) + "</ymin><xmax>" +
                   std::to_string(object.x + object.width) + "</xmax><ymax>" +
                   std::to_string(object.y + object.height) + "</ymax></bndbox></object>";
        writeText(folder / "Annotations" / (stem + ".xml"), xml + "</annotation>");
        (i % 4 == 3 ? test : train) += stem + "\n";
    }
    writeText(folder / "ImageSets/Main/train.txt", train);
    writeText(folder / "ImageSets/Main/test.txt", test);
}

fs::path makeCrnnConfig(const fs::path& folder, const fs::path& words) {
    writeText(folder / "crnn.yaml", "seed: 5\n"
                                    "model:\n"
                                    "  type: crnn\n"
                                    "  crnn: {height: 32, width: 64, stem_channels: 4, hidden: 8, layers: 1}\n"
                                    "data:\n"
                                    "  train:\n"
                                    "    - {format: folder+labels, path: \"" +
                                        words.string() +
                                        "\", batch_size: 2}\n"
                                        "    - {format: rendered-words, batch_size: 2}\n"
                                        "  validation:\n"
                                        "    - {format: folder+labels, path: \"" +
                                        words.string() +
                                        "\"}\n"
                                        "  batch_size: 4\n"
                                        "solve: {iterations: 12, base_lr: 0.05, optimizer: sgd, policy: constant}\n"
                                        "train: {threads: 1, precision: fp32, checkpoint_every: 4, evaluate_every: 6, "
                                        "summarise_every: 3, keep_last: 100}\n");
    return folder / "crnn.yaml";
}

fs::path makeRetinaNetConfig(const fs::path& folder, const fs::path& coco) {
    writeText(folder / "retinanet.yaml",
              "seed: 5\n"
              "model:\n"
              "  type: retinanet\n"
              "  norm: batch\n"
              "  retinanet: {input_size: 64, fpn_channels: 16, head_convolutions: 1, "
              "anchor_sizes: [16, 24, 32, 48, 64], max_detections: 10, top_candidates: 50}\n"
              "data:\n"
              "  train: [{format: coco, path: \"" +
                  coco.string() +
                  "\"}]\n"
                  "  validation: [{format: coco, path: \"" +
                  coco.string() +
                  "\"}]\n"
                  "  batch_size: 2\n"
                  "solve: {iterations: 8, base_lr: 0.001, optimizer: sgd, policy: constant}\n"
                  "train: {threads: 1, precision: fp32, checkpoint_every: 3, evaluate_every: 4, "
                  "summarise_every: 3, keep_last: 100}\n");
    return folder / "retinanet.yaml";
}

std::string hashOfTree(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Fingerprint hash;
    for (const fs::path& file : files) {
        const std::string name = file.filename().string(), text = readText(file);
        if ((name.ends_with("-wal") && text.empty()) || name.ends_with("-shm"))
            continue;
        hash.add(file.string());
        hash.add(text);
    }
    return hash.text();
}

} // namespace trainyard::testing
