// Rows of the table of bad inputs: command lines and configurations.
#include "tests/app/cli/BadInputRows.h"
#include "tests/app/cli/TinyWorld.h"

namespace trainyard::testing {

namespace fs = std::filesystem;

namespace {
std::function<void(const fs::path&)> writesConfig(const std::string& text) {
    return [text](const fs::path& folder) { writeText(folder / "mine.yaml", text); };
}
} // namespace

void addBadConfigurations(std::vector<BadInput>& rows) {
    rows.push_back({"unknown verb", {}, {"trian"}, 2, {"trian"}});
    rows.push_back({"no verb", {}, {}, 2, {"train, resume, evaluate"}});
    rows.push_back({"unknown verb of a verb", {}, {"runs", "lst"}, 2, {"lst"}});
    rows.push_back({"unknown option", {}, {"train", "crnn-demo", "--nam", "x"}, 2, {"--nam"}});
    rows.push_back({"verb without its argument", {}, {"resume"}, 2, {"RUN"}});
    rows.push_back({"missing configuration", {}, {"train", "nowhere.yaml"}, 2, {"nowhere.yaml", "no such file"}});
    rows.push_back({"unknown preset", {}, {"train", "crnn-dmo"}, 2, {"crnn-dmo", "nearest preset is crnn-demo"}});
    rows.push_back({"folder as configuration", {}, {"train", "words"}, 2, {"words", "folder"}});
    rows.push_back({"misspelt key",
                    writesConfig("solve:\n  iterationz: 5\n"),
                    {"config", "validate", "mine.yaml"},
                    2,
                    {"mine.yaml:2:3:", "iterationz", "iterations"}});
    rows.push_back({"misplaced key",
                    writesConfig("iterations: 5\n"),
                    {"train", "mine.yaml"},
                    2,
                    {"mine.yaml:1:1:", "solve.iterations"}});
    rows.push_back({"wrong type",
                    writesConfig("solve:\n  iterations: many\n"),
                    {"train", "mine.yaml"},
                    2,
                    {"mine.yaml:2:15:", "many"}});
    rows.push_back({"out of range",
                    writesConfig("solve:\n  base_lr: -1\n"),
                    {"train", "mine.yaml"},
                    2,
                    {"mine.yaml:2:12:", "above 0"}});
    rows.push_back({"not one of the choices",
                    writesConfig("solve:\n  optimizer: sgdd\n"),
                    {"train", "mine.yaml"},
                    2,
                    {"mine.yaml:2:14:", "sgd, adam"}});
    rows.push_back({"YAML that breaks off", writesConfig("solve: [1, 2\n"), {"train", "mine.yaml"}, 2, {"mine.yaml:"}});
    rows.push_back(
        {"bytes that are no text", writesConfig("seed: \"\xff\xfe\x80\"\n"), {"train", "mine.yaml"}, 2, {"mine.yaml"}});
    rows.push_back({"several mistakes at once",
                    writesConfig("sede: 1\nsolve:\n  base_lr: fast\n"),
                    {"train", "mine.yaml"},
                    2,
                    {"mine.yaml:1:1:", "mine.yaml:3:12:"}});
    rows.push_back({"override without a value",
                    {},
                    {"train", "crnn.yaml", "solve.iterations"},
                    2,
                    {"solve.iterations", "key=value"}});
    rows.push_back({"override of no key", {}, {"train", "crnn.yaml", "solve.iteration=3"}, 2, {"solve.iterations"}});
    rows.push_back(
        {"override of a wrong type", {}, {"train", "crnn.yaml", "solve.iterations=3.5"}, 2, {"solve.iterations"}});
    rows.push_back({"rising steps that fall",
                    {},
                    {"train", "crnn.yaml", "solve.policy=steps", "solve.steps=[5,3]"},
                    2,
                    {"solve.steps"}});
    rows.push_back({"device that is not here", {}, {"train", "crnn.yaml", "train.device=cuda:77"}, 2, {"cuda:77"}});
    rows.push_back({"devices that do not divide the batch",
                    {},
                    {"train", "crnn.yaml", "train.devices=[cpu,cpu,cpu]"},
                    2,
                    {"data.batch_size", "3"}});
    rows.push_back(
        {"unknown metric", {}, {"train", "crnn.yaml", "train.best_metric=accuracy"}, 2, {"accuracy", "word_accuracy"}});
    rows.push_back({"words for a detector", {}, {"train", "retinanet.yaml", "--data", "rendered-words:"}, 2, {"crnn"}});
    rows.push_back({"no data at all", {}, {"train", "crnn"}, 2, {"data.train", "--data"}});
    rows.push_back({"unknown key to describe", {}, {"config", "describe", "xyzzy"}, 2, {"xyzzy"}});
    rows.push_back({"a folder that is gone",
                    {},
                    {"runs", "list"},
                    2,
                    {"The current folder", "cd"},
                    false,
                    {"/bin/sh", "-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\""}});
    rows.push_back({"full disk on standard output",
                    {},
                    {"config", "describe"},
                    1,
                    {"standard output", "No space"},
                    false,
                    {"/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full"}});
}

} // namespace trainyard::testing
