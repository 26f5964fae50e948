// Rows of the table of bad inputs: projects, runs, checkpoints.
#include "tests/app/cli/BadInputRows.h"
#include "tests/app/cli/TinyWorld.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace trainyard::testing {

namespace fs = std::filesystem;

namespace {
fs::path checkpointIn(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "p"))
        if (entry.path().extension() == ".pth")
            files.push_back(entry.path());
    return *std::max_element(files.begin(), files.end());
}

std::string noise(std::size_t count) {
    std::string bytes;
    for (std::uint32_t state = 1; bytes.size() < count; state = state * 1664525u + 1013904223u)
        bytes += char(state >> 24);
    return bytes;
}

/// SQLite keeps `user_version` at byte 60 of the file, most significant byte first.
void makeNewer(const fs::path& folder) {
    std::fstream file(folder / "p/project.sqlite", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.write("\x00\x00\x27\x0f", 4);
}

void makeReadOnly(const fs::path& folder) {
    fs::permissions(folder, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        fs::permissions(entry.path(), fs::perms::all & ~fs::perms::group_write & ~fs::perms::others_write);
        fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::remove);
    }
}

/// Root may write everywhere: it has to be somebody else for permissions to count.
std::vector<std::string> asNobody() {
    if (::geteuid() != 0)
        return {};
    return {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
}
} // namespace

void addBadRuns(std::vector<BadInput>& rows) {
    rows.push_back({"no project", {}, {"runs", "list", "--project", "p"}, 5, {"p"}});
    rows.push_back({"unknown run", {}, {"resume", "99", "--project", "p"}, 2, {"99"}, true});
    rows.push_back({"image that is a device",
                    {},
                    {"predict", "tiny", "/dev/zero", "--project", "p"},
                    3,
                    {"/dev/zero", "device"},
                    true});
    rows.push_back({"line break in a path",
                    {},
                    {"runs", "list", "--project", "no\nproject"},
                    5,
                    {"no\\nproject", "There is no project here"}});
    rows.push_back({"checkpoints removed by hand",
                    [](const fs::path& folder) {
                        for (fs::path file = checkpointIn(folder);; file = checkpointIn(folder)) {
                            fs::remove(file);
                            if (fs::is_empty(file.parent_path()))
                                return;
                        }
                    },
                    {"predict", "tiny", "words/word0.png", "--project", "p"},
                    5,
                    {"iteration-", "file is missing"},
                    true});
    rows.push_back({"unknown run to show", {}, {"runs", "show", "nobody", "--project", "p"}, 2, {"nobody"}, true});
    rows.push_back({"unknown run among those to delete",
                    {},
                    {"runs", "delete", "tiny", "nobody", "--project", "p"},
                    2,
                    {"nobody"},
                    true});
    rows.push_back({"unknown checkpoint", {}, {"resume", "tiny", "--from", "777", "--project", "p"}, 2, {"777"}, true});
    rows.push_back(
        {"unknown iteration", {}, {"predict", "tiny@777", "words/word0.png", "--project", "p"}, 2, {"tiny@777"}, true});
    rows.push_back(
        {"finished run", {}, {"resume", "tiny", "--project", "p"}, 2, {"finished already", "--further"}, true});
    rows.push_back({"nothing further",
                    {},
                    {"resume", "tiny", "--further", "-3", "--project", "p"},
                    2,
                    {"--further", "1 to 1000000000000."},
                    true});
    rows.push_back({"further than can be counted",
                    {},
                    {"resume", "tiny", "--further", "9223372036854775807", "--project", "p"},
                    2,
                    {"--further", "1 to 1000000000000."},
                    true});
    rows.push_back({"change of what the run is",
                    {},
                    {"resume", "tiny", "--further", "2", "model.crnn.hidden=16", "--project", "p"},
                    2,
                    {"model.crnn.hidden", "cannot change"},
                    true});
    for (const auto& [name, verb] :
         {std::pair("pictures", std::vector<std::string>{"predict", "tiny", "words/word0.png", "--out", "words"}),
          {"predictions", {"evaluate", "tiny", "--output", "words/found.jsonl"}}}) {
        std::vector<std::string> arguments = verb;
        arguments.insert(arguments.end(), {"--project", "p"});
        rows.push_back({std::string(name) + " where nothing can be written",
                        makeReadOnly,
                        arguments,
                        5,
                        {"words", "cannot be written to"},
                        true,
                        asNobody()});
    }
    rows.push_back({"missing checkpoint file", {}, {"predict", "nowhere.pth", "words/word0.png"}, 5, {"nowhere.pth"}});
    rows.push_back({"truncated checkpoint",
                    [](const fs::path& folder) {
                        const auto file = checkpointIn(folder);
                        fs::copy_file(file, folder / "cut.pth");
                        fs::resize_file(folder / "cut.pth", fs::file_size(file) * 2 / 3);
                    },
                    {"predict", "cut.pth", "words/word0.png"},
                    5,
                    {"cut.pth"},
                    true});
    rows.push_back({"noise for a checkpoint",
                    [](const fs::path& folder) { writeText(folder / "noise.pth", noise(5000)); },
                    {"predict", "noise.pth", "words/word0.png"},
                    5,
                    {"noise.pth"}});
    rows.push_back({"empty checkpoint",
                    [](const fs::path& folder) { writeText(folder / "empty.pth", ""); },
                    {"evaluate", "empty.pth", "--data", "words"},
                    5,
                    {"empty.pth"}});
    rows.push_back({"one wrong byte in a checkpoint",
                    [](const fs::path& folder) {
                        std::string bytes = readText(checkpointIn(folder));
                        bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 0x55);
                        writeText(folder / "flipped.pth", bytes);
                    },
                    {"predict", "flipped.pth", "words/word0.png"},
                    5,
                    {"flipped.pth"},
                    true});
    rows.push_back(
        {"weights of another shape",
         [](const fs::path& folder) { fs::copy_file(checkpointIn(folder), folder / "mine.pth"); },
         {"train", "crnn.yaml", "model.weights=FOLDER/mine.pth", "model.crnn.stem_channels=8", "--project", "p"},
         2,
         {"["},
         true,
         {},
         true});
    rows.push_back({"missing weights",
                    {},
                    {"train", "crnn.yaml", "model.weights=nowhere.pth", "--project", "p"},
                    5,
                    {"nowhere.pth"},
                    false,
                    {},
                    true});
    rows.push_back(
        {"missing image", {}, {"predict", "tiny", "nowhere.png", "--project", "p"}, 3, {"nowhere.png"}, true});
    rows.push_back(
        {"text for an image", {}, {"predict", "tiny", "words/labels.txt", "--project", "p"}, 3, {"labels.txt"}, true});
    rows.push_back({"all checkpoints damaged",
                    [](const fs::path& folder) {
                        for (const auto& entry : fs::recursive_directory_iterator(folder / "p"))
                            if (entry.path().extension() == ".pth")
                                fs::resize_file(entry.path(), 100);
                    },
                    {"resume", "tiny", "--further", "2", "--project", "p"},
                    5,
                    {"tiny"},
                    true,
                    {},
                    true});
    rows.push_back(
        {"project newer than the program", makeNewer, {"runs", "list", "--project", "p"}, 5, {"newer"}, true});
    rows.push_back({"noise for a project",
                    [](const fs::path& folder) { writeText(folder / "p/project.sqlite", noise(9000)); },
                    {"train", "crnn.yaml", "--project", "p"},
                    5,
                    {"project.sqlite"}});
    rows.push_back({"folder for a project's file",
                    [](const fs::path& folder) { fs::create_directories(folder / "p/project.sqlite"); },
                    {"train", "crnn.yaml", "--project", "p"},
                    5,
                    {"project.sqlite"}});
    rows.push_back(
        {"read-only project", makeReadOnly, {"train", "crnn.yaml", "--project", "p"}, 5, {"p"}, true, asNobody()});
    rows.push_back({"loss that is not finite",
                    {},
                    {"train", "crnn.yaml", "solve.base_lr=1000", "solve.weight_decay=1", "solve.iterations=200",
                     "train.evaluate_every=0", "--project", "p"},
                    4,
                    {"iteration", "learning rate 1000"},
                    false,
                    {},
                    true});
}

std::vector<BadInput> badInputs() {
    std::vector<BadInput> rows;
    addBadConfigurations(rows);
    addBadData(rows);
    addBadRuns(rows);
    addBadArguments(rows);
    return rows;
}

} // namespace trainyard::testing
