// Rows of the table of bad inputs: arguments that contradict each other, or name what is not there.
#include "tests/app/cli/BadInputRows.h"
#include "tests/app/cli/TinyWorld.h"

namespace trainyard::testing {

namespace fs = std::filesystem;

void addBadArguments(std::vector<BadInput>& rows) {
    rows.push_back({"two lengths at once",
                    {},
                    {"resume", "tiny", "--further", "5", "solve.iterations=10", "--project", "p"},
                    2,
                    {"--further", "solve.iterations", "Give one of them"},
                    true});
    rows.push_back({"training data twice",
                    {},
                    {"train", "crnn.yaml", "--data", "words", "data.train=[{path: words}]", "--project", "p"},
                    2,
                    {"--data", "data.train"}});
    for (const char* name : {"7", "#7", "tiny@best", "a@12"})
        rows.push_back({std::string("a name that means something else: ") + name,
                        {},
                        {"train", "crnn.yaml", "--name", name, "--project", "p"},
                        2,
                        {name, "cannot be named"}});
    rows.push_back({"a run beside a file of results",
                    {},
                    {"evaluate", "tiny", "--results", "x.json", "--data", "coco:coco", "--project", "p"},
                    2,
                    {"--results", "tiny"}});
    for (const char* verb : {"pin", "delete", "restore"})
        rows.push_back({std::string("a number alone to ") + verb,
                        {},
                        {"checkpoints", verb, "1", "8", "--project", "p"},
                        2,
                        {"1: ", "names a run", "1@ITERATION"},
                        true});
    rows.push_back({"a number alone to go on from",
                    {},
                    {"resume", "tiny", "--from", "4", "--further", "2", "--project", "p"},
                    2,
                    {"4", "@4"},
                    true});
    rows.push_back({"a checkpoint of no project",
                    [](const fs::path& folder) { writeText(folder / "mine.pth", "x"); },
                    {"checkpoints", "pin", "mine.pth", "--project", "p"},
                    2,
                    {"mine.pth", "no checkpoint of this project"},
                    true});
    rows.push_back({"nothing to restore",
                    {},
                    {"checkpoints", "restore", "tiny@777", "--project", "p"},
                    2,
                    {"tiny@777", "deleted"},
                    true});
    rows.push_back({"pictures into a file",
                    {},
                    {"predict", "tiny", "words/word0.png", "--out", "crnn.yaml", "--project", "p"},
                    2,
                    {"crnn.yaml", "where a folder is wanted"},
                    true});
    rows.push_back({"pictures below a file",
                    {},
                    {"predict", "tiny", "words/word0.png", "--out", "crnn.yaml/pictures", "--project", "p"},
                    2,
                    {"crnn.yaml", "where a folder is wanted"},
                    true});
    rows.push_back({"pictures over the images",
                    {},
                    {"predict", "tiny", "words/word0.png", "--out", "words/.", "--project", "p"},
                    2,
                    {"words/.", "would be written over"},
                    true});
    rows.push_back({"predictions into a folder",
                    {},
                    {"evaluate", "tiny", "--output", "words", "--project", "p"},
                    2,
                    {"words", "where a file is wanted"},
                    true});
    rows.push_back({"predictions over the labels",
                    {},
                    {"evaluate", "tiny", "--data", "words", "--output", "words/labels.txt", "--project", "p"},
                    2,
                    {"words/labels.txt", "never written to"},
                    true});
    rows.push_back({"predictions over somebody's notes",
                    [](const fs::path& folder) { writeText(folder / "notes.txt", "Tuesday: cut the images again.\n"); },
                    {"evaluate", "tiny", "--output", "notes.txt", "--project", "p"},
                    2,
                    {"notes.txt", "none of this kind"},
                    true});
    rows.push_back({"curves over annotations",
                    [](const fs::path& folder) { writeText(folder / "mine.json", "[]"); },
                    {"evaluate", "--results", "mine.json", "--data", "coco:coco/annotations.json", "--curves",
                     "coco/annotations.json"},
                    2,
                    {"coco/annotations.json", "never written to"}});
    rows.push_back({"curves of no kind",
                    [](const fs::path& folder) { writeText(folder / "mine.json", "[]"); },
                    {"evaluate", "--results", "mine.json", "--data", "coco:coco/annotations.json", "--curves", "c.svg"},
                    2,
                    {"c.svg", "JSON or CSV"}});
    rows.push_back({"confusion of words",
                    {},
                    {"evaluate", "tiny", "--confusion", "c.csv", "--project", "p"},
                    2,
                    {"--confusion", "between boxes"},
                    true,
                    {},
                    true});
    rows.push_back({"an expectation in words",
                    {},
                    {"evaluate", "tiny", "--set", "evaluate.expected={word_accuracy: good}", "--project", "p"},
                    2,
                    {"evaluate.expected", "not good"},
                    true});
    rows.push_back({"unknown data root",
                    {},
                    {"train", "crnn.yaml", "data.train=[{path: '${nowhere}/words'}]", "--project", "p"},
                    2,
                    {"${nowhere}/words", "\"nowhere\"", "trainyard project roots set nowhere FOLDER"}});
    rows.push_back({"unknown data root of a run",
                    {},
                    {"resume", "tiny", "--further", "2", "data.train=[{path: '${nowhere}/words'}]", "--project", "p"},
                    2,
                    {"run 1 \"tiny\"", "${nowhere}/words", "trainyard project roots set nowhere FOLDER"},
                    true});
    rows.push_back({"unknown data root to look at",
                    {},
                    {"data", "inspect", "${nowhere}/words", "--project", "p"},
                    2,
                    {"trainyard project roots set nowhere FOLDER"},
                    true});
    rows.push_back({"data root without a folder",
                    {},
                    {"project", "roots", "set", "cells", "nowhere", "--project", "p"},
                    2,
                    {"nowhere", "no such folder"},
                    true});
    rows.push_back({"data root with a strange name",
                    {},
                    {"project", "roots", "set", "a/b", "words", "--project", "p"},
                    2,
                    {"a/b", "letters"},
                    true});
}

} // namespace trainyard::testing
