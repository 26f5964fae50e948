// Rows of the table of bad inputs: datasets.
#include "tests/app/cli/BadInputRows.h"
#include "tests/app/cli/TinyWorld.h"

#include <nlohmann/json.hpp>

namespace trainyard::testing {

namespace fs = std::filesystem;

namespace {
void editCoco(const fs::path& folder, const std::function<void(nlohmann::json&)>& edit) {
    const fs::path file = folder / "coco/annotations.json";
    auto json = nlohmann::json::parse(readText(file));
    edit(json);
    writeText(file, json.dump());
}

void cutInHalf(const fs::path& file) {
    fs::resize_file(file, fs::file_size(file) / 2);
}

const std::vector<std::string> kTwoSteps = {"solve.iterations=2", "train.evaluate_every=0", "train.checkpoint_every=0"};

std::vector<std::string> train(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.begin() + 2, kTwoSteps.begin(), kTwoSteps.end()); // a row's own settings come last
    arguments.insert(arguments.end(), {"--project", "p"});
    return arguments;
}

/// A row of training on data that was spoilt; only the project may be written.
BadInput spoilt(std::string name, std::function<void(const fs::path&)> prepare, std::vector<std::string> arguments,
                int code, std::vector<std::string> fragments) {
    return {
        std::move(name), std::move(prepare), train(std::move(arguments)), code, std::move(fragments), false, {}, true};
}
} // namespace

void addBadData(std::vector<BadInput>& rows) {
    rows.push_back(
        {"missing data folder", {}, train({"crnn.yaml", "--data", "nowhere"}), 3, {"nowhere", "no such file"}});
    rows.push_back({"missing validation folder",
                    {},
                    train({"crnn.yaml", "--validation", "folder+labels:nowhere"}),
                    3,
                    {"nowhere"}});
    rows.push_back({"empty data folder",
                    [](const fs::path& folder) { fs::create_directories(folder / "empty"); },
                    train({"crnn.yaml", "--data", "empty"}),
                    3,
                    {"empty"}});
    rows.push_back(spoilt("labels in UTF-16",
                          [](const fs::path& folder) {
                              std::string wide = "\xFF\xFE";
                              for (const char c : readText(folder / "words/labels.txt"))
                                  wide += {c, '\0'};
                              writeText(folder / "words/labels.txt", wide);
                          },
                          {"crnn.yaml", "--data", "folder+labels:words"}, 3, {"words/labels.txt", "UTF-16", "UTF-8"}));
    rows.push_back({"unknown format", {}, train({"crnn.yaml", "--data", "fodler+labels:words"}), 3, {"fodler+labels"}});
    rows.push_back(spoilt("unknown part", {}, {"retinanet.yaml", "--data", "voc:voc#trian"}, 3, {"trian", "train"}));
    rows.push_back(spoilt("broken COCO JSON",
                          [](const fs::path& folder) { cutInHalf(folder / "coco/annotations.json"); },
                          {"retinanet.yaml", "--data", "coco:coco/annotations.json"}, 3, {"annotations.json"}));
    rows.push_back(spoilt("COCO without its images",
                          [](const fs::path& folder) { editCoco(folder, [](auto& json) { json.erase("images"); }); },
                          {"retinanet.yaml", "--data", "coco:coco/annotations.json"}, 3, {"annotations.json"}));
    rows.push_back(
        spoilt("two COCO categories with one id",
               [](const fs::path& folder) { editCoco(folder, [](auto& json) { json["categories"][1]["id"] = 3; }); },
               {"retinanet.yaml"}, 3, {"annotations.json:1:", "Two categories have the id 3"}));
    rows.push_back(spoilt(
        "COCO categories with names for ids",
        [](const fs::path& folder) { editCoco(folder, [](auto& json) { json["categories"][0]["id"] = "disc"; }); },
        {"retinanet.yaml"}, 3, {"annotations.json:1:", "id disc is no whole number"}));
    rows.push_back(spoilt("annotations of other images",
                          [](const fs::path& folder) {
                              editCoco(folder, [](auto& json) {
                                  for (auto& object : json["annotations"])
                                      object["image_id"] = 99;
                              });
                          },
                          {"retinanet.yaml"}, 3,
                          {"None of the training images has an object", "trainyard data inspect"}));
    rows.push_back(spoilt("broken VOC XML",
                          [](const fs::path& folder) {
                              for (const auto& file : fs::directory_iterator(folder / "voc/Annotations"))
                                  cutInHalf(file.path());
                          },
                          {"retinanet.yaml", "--data", "voc:voc"}, 3, {"voc"}));
    rows.push_back(spoilt("only boxes without area",
                          [](const fs::path& folder) {
                              editCoco(folder, [](auto& json) {
                                  for (auto& object : json["annotations"])
                                      object["bbox"][2] = 0;
                              });
                          },
                          {"retinanet.yaml", "data.on_zero_area=stop"}, 3, {"area", "annotations.json"}));
    rows.push_back(spoilt("class that the data lacks", {}, {"retinanet.yaml", "data.classes={wheel: wheel}"}, 3,
                          {"wheel", "disc"}));
    rows.push_back(spoilt("truncated JPEG, to stop",
                          [](const fs::path& folder) {
                              for (const auto& file : fs::directory_iterator(folder / "voc/JPEGImages"))
                                  cutInHalf(file.path());
                          },
                          {"retinanet.yaml", "--data", "voc:voc", "data.on_damaged=stop"}, 3, {".jpg"}));
    rows.push_back(spoilt("truncated image, to skip",
                          [](const fs::path& folder) { cutInHalf(folder / "words/word3.png"); },
                          {"crnn.yaml", "solve.iterations=10"}, 0, {"word3.png"}));
    rows.push_back(
        spoilt("images that are too large", {}, {"retinanet.yaml", "data.max_pixels=100"}, 3, {".png", "pixels"}));
    rows.push_back(spoilt("no character of the alphabet", {},
                          {"crnn.yaml", "--data", "folder+labels:words", "model.crnn.alphabet=@#%"}, 3, {"words"}));
    rows.push_back(spoilt("labels without images",
                          [](const fs::path& folder) {
                              for (const auto& file : fs::directory_iterator(folder / "words"))
                                  if (file.path().extension() == ".png")
                                      fs::remove(file.path());
                          },
                          {"crnn.yaml", "--data", "folder+labels:words"}, 3, {"words"}));
    rows.push_back(
        spoilt("missing words to render", {}, {"crnn.yaml", "data.rendered.words=nowhere.txt"}, 3, {"nowhere.txt"}));
    rows.push_back({"inspecting a damaged set",
                    [](const fs::path& folder) { cutInHalf(folder / "words/word3.png"); },
                    {"data", "inspect", "words"},
                    3,
                    {"1 of its 10 images"}});
    rows.push_back({"results that are no JSON",
                    [](const fs::path& folder) { writeText(folder / "mine.json", "[{\"image_id\""); },
                    {"evaluate", "--results", "mine.json", "--data", "coco:coco/annotations.json"},
                    3,
                    {"mine.json"}});
    rows.push_back({"results of another set",
                    [](const fs::path& folder) {
                        writeText(folder / "mine.json",
                                  R"([{"image_id": 9, "category_id": 3, "bbox": [1, 2, 3, 4], "score": 0.5}])");
                    },
                    {"evaluate", "--results", "mine.json", "--data", "coco:coco/annotations.json"},
                    3,
                    {"mine.json"}});
    rows.push_back({"results without data",
                    [](const fs::path& folder) { writeText(folder / "mine.json", "[]"); },
                    {"evaluate", "--results", "mine.json"},
                    2,
                    {"--data"}});
}

} // namespace trainyard::testing
