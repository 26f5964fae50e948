#include "tests/core/outputs/EventReader.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace trainyard::testing {
namespace {

std::uint64_t littleEndian(const std::string& bytes, std::size_t at, int width) {
    std::uint64_t value = 0;
    for (int i = width - 1; i >= 0; --i)
        value = value << 8 | std::uint8_t(bytes.at(at + std::size_t(i)));
    return value;
}

std::uint32_t masked(std::uint32_t crc) {
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

template <class Number>
Number as(const std::string& bytes) {
    Number number;
    if (bytes.size() != sizeof(number))
        throw std::runtime_error("a number of another width");
    std::memcpy(&number, bytes.data(), sizeof(number));
    return number;
}

struct Part {
    int number = 0;
    std::uint64_t value = 0; ///< of a varint
    std::string bytes;       ///< of the others
};

std::vector<Part> partsOf(const std::string& message) {
    std::vector<Part> parts;
    std::size_t at = 0;
    const auto varint = [&] {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = std::uint8_t(message.at(at++));
            value |= std::uint64_t(byte & 127) << shift;
            if (byte < 128)
                return value;
        }
    };
    while (at < message.size()) {
        const std::uint64_t tag = varint();
        Part part;
        part.number = int(tag >> 3);
        std::size_t length = 0;
        switch (tag & 7) {
        case 0:
            part.value = varint();
            break;
        case 1:
            length = 8;
            break;
        case 2:
            length = std::size_t(varint());
            break;
        case 5:
            length = 4;
            break;
        default:
            throw std::runtime_error("no wire type of protocol buffers");
        }
        if (at + length > message.size())
            throw std::runtime_error("a part leads out of its message");
        part.bytes = message.substr(at, length);
        at += length;
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<double> doubles(const std::string& bytes) {
    std::vector<double> values;
    for (std::size_t at = 0; at < bytes.size(); at += 8)
        values.push_back(as<double>(bytes.substr(at, 8)));
    return values;
}

nlohmann::json histogramOf(const std::string& message, std::uint64_t step) {
    static const char* const names[] = {"", "min", "max", "num", "sum", "sum_squares"};
    nlohmann::json json = {{"step", step}, {"buckets", nlohmann::json::array()}};
    std::vector<double> limits, counts;
    for (const Part& part : partsOf(message)) {
        if (part.number >= 1 && part.number <= 5)
            json[names[part.number]] = as<double>(part.bytes);
        else
            (part.number == 6 ? limits : counts) = doubles(part.bytes);
    }
    if (limits.size() != counts.size())
        throw std::runtime_error("a histogram with more limits than counts, or less");
    for (std::size_t i = 0; i < limits.size(); ++i)
        if (counts[i] > 0)
            json["buckets"].push_back({limits[i], counts[i]});
    return json;
}

void readSummary(nlohmann::json& json, const std::string& summary, std::uint64_t step) {
    for (const Part& value : partsOf(summary)) {
        std::string tag;
        for (const Part& part : partsOf(value.bytes)) {
            if (part.number == 1)
                tag = part.bytes;
            else if (part.number == 2)
                json["scalars"][tag].push_back({step, as<float>(part.bytes)});
            else if (part.number == 5)
                json["histograms"][tag].push_back(histogramOf(part.bytes, step));
            else if (part.number == 4) {
                const auto picture = partsOf(part.bytes);
                if (picture.size() != 4 || picture[3].bytes.substr(1, 3) != "PNG")
                    throw std::runtime_error("no picture");
                json["images"][tag].push_back({step, picture[1].value, picture[0].value, picture[2].value});
            }
        }
    }
}

void readGraph(nlohmann::json& json, const std::string& graph) {
    for (const Part& node : partsOf(graph)) {
        nlohmann::json one = {"", "", nlohmann::json::array()};
        for (const Part& part : partsOf(node.bytes)) {
            if (part.number <= 2)
                one[std::size_t(part.number - 1)] = part.bytes;
            else if (part.number == 3)
                one[2].push_back(part.bytes);
        }
        json["graph"].push_back(std::move(one));
    }
}

} // namespace

std::uint32_t plainCrc32c(const std::string& bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const char byte : bytes) {
        crc ^= std::uint8_t(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0u);
    }
    return ~crc;
}

std::vector<std::string> recordsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::vector<std::string> records;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto length = std::size_t(littleEndian(bytes, at, 8));
        if (littleEndian(bytes, at + 8, 4) != masked(plainCrc32c(bytes.substr(at, 8))))
            throw std::runtime_error("the checksum of a length is wrong");
        records.push_back(bytes.substr(at + 12, length));
        if (littleEndian(bytes, at + 12 + length, 4) != masked(plainCrc32c(records.back())))
            throw std::runtime_error("the checksum of a record is wrong");
        at += 16 + length;
    }
    return records;
}

nlohmann::json readEvents(const std::filesystem::path& file) {
    nlohmann::json json;
    for (const std::string& record : recordsOf(file)) {
        std::uint64_t step = 0;
        for (const Part& part : partsOf(record)) {
            if (part.number == 1 && as<double>(part.bytes) < 1e9)
                throw std::runtime_error("an event without its time");
            if (part.number == 2)
                step = part.value;
            if (part.number == 3)
                json["version"] = part.bytes;
            if (part.number == 4)
                readGraph(json, part.bytes);
            if (part.number == 5)
                readSummary(json, part.bytes, step);
            if (part.number == 8)
                json["profiles"].push_back(partsOf(part.bytes).front().bytes);
        }
    }
    return json;
}

} // namespace trainyard::testing
