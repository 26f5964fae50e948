#pragma once

#include <filesystem>
#include <string>

namespace trainyard::testing {

// Worlds small enough to train in seconds, written by the tests themselves.

/// `count` grey pictures of striped "words" and their `labels.txt`.
void makeWords(const std::filesystem::path& folder, int count = 10);

/// `count` pictures of 64×64 pixels with one or two bright boxes of two classes: `images/` and `annotations.json`.
void makeCoco(const std::filesystem::path& folder, int count = 10);

/// The same as Pascal VOC, with parts `train` and `test`.
void makeVoc(const std::filesystem::path& folder, int count = 10);

/// A recogniser of some thousand parameters, 2 words of `words` and 2 rendered ones a batch; returns the file.
std::filesystem::path makeCrnnConfig(const std::filesystem::path& folder, const std::filesystem::path& words);

/// A detector as small as a ResNet-18 with narrow heads can be; returns the file.
std::filesystem::path makeRetinaNetConfig(const std::filesystem::path& folder, const std::filesystem::path& coco);

void writeText(const std::filesystem::path& file, const std::string& text);
std::string readText(const std::filesystem::path& file);

/// A hash of the names and bytes of all files under `folder`, for "nothing was touched". SQLite's companions of an open
/// database (-wal, -shm) are left out where they are empty.
std::string hashOfTree(const std::filesystem::path& folder);

} // namespace trainyard::testing
