#include "app/engine/DataRecord.h"

#include "core/base/AtomicFile.h"
#include "core/base/Fingerprint.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace trainyard {

namespace {
constexpr const char* kFile = "data.json";
constexpr std::size_t kNamed = 3; ///< examples in a sentence

std::int64_t bits(float value) {
    return std::bit_cast<std::int32_t>(value);
}

std::string hashOf(const SampleInfo& info) {
    Fingerprint hash;
    hash.add(info.transcript);
    hash.add(std::int64_t(info.width));
    hash.add(std::int64_t(info.height));
    for (const ObjectAnnotation& object : info.objects) {
        hash.add(std::int64_t(object.label));
        hash.add(std::int64_t(object.isCrowd) * 2 + object.isDifficult);
        for (const float edge : {object.box.x1, object.box.y1, object.box.x2, object.box.y2})
            hash.add(bits(edge));
    }
    return hash.text().substr(0, 16);
}

/// "2 samples added (a.jpg, b.jpg)", or empty.
std::string counted(const char* what, const std::vector<std::string>& ids) {
    if (ids.empty())
        return "";
    std::string examples;
    for (std::size_t i = 0; i < std::min(ids.size(), kNamed); ++i)
        examples += (i ? ", " : "") + ids[i];
    return fmt::format("{} {} {} ({}{})", ids.size(), ids.size() == 1 ? "sample" : "samples", what, examples,
                       ids.size() > kNamed ? ", …" : "");
}

std::string setChange(const DataRecord::Set& before, const DataRecord::Set& now) {
    std::vector<std::string> added, removed, altered;
    for (const auto& [id, hash] : now.samples) {
        const auto old = before.samples.find(id);
        if (old == before.samples.end())
            added.push_back(id);
        else if (old->second != hash)
            altered.push_back(id);
    }
    for (const auto& [id, hash] : before.samples)
        if (!now.samples.contains(id))
            removed.push_back(id);
    std::string text;
    for (const std::string& part : {counted("added", added), counted("removed", removed), counted("altered", altered)})
        if (!part.empty())
            text += (text.empty() ? "" : ", ") + part;
    if (text.empty())
        text = "its files changed";
    return fmt::format("{} data {}: {}.", now.role, now.name, text);
}
} // namespace

void DataRecord::add(const std::string& role, const Dataset& dataset) {
    Set set{role, dataset.name(), dataset.format(), dataset.fingerprint(), {}};
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        const SampleInfo info = dataset.info(i);
        set.samples[info.id] = hashOf(info);
    }
    sets.push_back(std::move(set));
}

void DataRecord::finish() {
    Fingerprint all;
    for (const Set& set : sets) {
        all.add(set.role);
        all.add(set.fingerprint);
        for (const auto& [id, hash] : set.samples) { // a split takes part of a dataset: the ids count too
            all.add(id);
            all.add(hash);
        }
    }
    fingerprint = all.text();
}

Result<void> saveDataRecord(const std::filesystem::path& runFolder, const DataRecord& record) {
    nlohmann::ordered_json json = {
        {"fingerprint", record.fingerprint}, {"split", record.split}, {"sets", nlohmann::ordered_json::array()}};
    for (const DataRecord::Set& set : record.sets)
        json["sets"].push_back({{"role", set.role},
                                {"name", set.name},
                                {"format", set.format},
                                {"fingerprint", set.fingerprint},
                                {"samples", set.samples}});
    return writeFile(runFolder / kFile,
                     json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

Result<DataRecord> loadDataRecord(const std::filesystem::path& runFolder) {
    std::error_code ignored; // what cannot be looked at reads as absent, and then fails to be written with a sentence
    if (!std::filesystem::exists(runFolder / kFile, ignored))
        return DataRecord{};
    const auto text = readFile(runFolder / kFile, ErrorKind::Damaged);
    if (!text)
        return text.error();
    try {
        const auto json = nlohmann::json::parse(*text);
        DataRecord record{json.at("fingerprint"), {}, json.at("split").get<StoredSplit>()};
        for (const auto& set : json.at("sets"))
            record.sets.push_back({set.at("role"), set.at("name"), set.at("format"), set.at("fingerprint"),
                                   set.at("samples").get<std::map<std::string, std::string>>()});
        return record;
    } catch (const nlohmann::json::exception&) {
        return Error{ErrorKind::Damaged, "The record of the run's data cannot be read.", (runFolder / kFile).string(),
                     "Delete the file to go on without it."};
    }
}

std::vector<std::string> dataChanges(const DataRecord& before, const DataRecord& now) {
    std::vector<std::string> changes;
    if (before.fingerprint.empty() || before.fingerprint == now.fingerprint)
        return changes;
    for (std::size_t i = 0; i < std::max(before.sets.size(), now.sets.size()); ++i) {
        if (i >= now.sets.size())
            changes.push_back(fmt::format("{} data {} is gone.", before.sets[i].role, before.sets[i].name));
        else if (i >= before.sets.size())
            changes.push_back(fmt::format("{} data {} is new.", now.sets[i].role, now.sets[i].name));
        else if (!(before.sets[i] == now.sets[i]))
            changes.push_back(setChange(before.sets[i], now.sets[i]));
    }
    return changes;
}

} // namespace trainyard
