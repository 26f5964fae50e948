#include "core/data/TfExample.h"

#include "core/base/Bytes.h"
#include "core/data/ProtobufWire.h"

#include <algorithm>
#include <bit>

namespace trainyard {
namespace {

using protobuf::Field;
using protobuf::Reader;

/// Goes through a list message: its values one by one, packed or not. False when it is malformed.
template <class Take>
bool eachNumber(std::string_view list, Field::Type type, Take take) {
    Reader reader(list);
    while (const auto field = reader.next()) {
        if (field->number != 1)
            continue;
        if (field->type == type) {
            take(field->value);
        } else if (field->type == Field::Bytes && type == Field::Fixed32) {
            const ByteReader packed(field->bytes);
            for (std::size_t at = 0; at + 4 <= packed.size(); at += 4)
                take(packed.u32(at));
        } else if (field->type == Field::Bytes) {
            Reader packed(field->bytes);
            while (!packed.atEnd())
                if (const auto value = packed.varint())
                    take(*value);
                else
                    return false;
        }
    }
    return reader.isGood();
}

bool isListWhole(std::string_view list, TfExample::Kind kind, bool& isEmpty) {
    isEmpty = true;
    const auto see = [&](std::uint64_t) { isEmpty = false; };
    if (kind != TfExample::Kind::Bytes)
        return eachNumber(list, kind == TfExample::Kind::Floats ? Field::Fixed32 : Field::Varint, see);
    Reader reader(list);
    while (const auto field = reader.next())
        isEmpty = isEmpty && !(field->number == 1 && field->type == Field::Bytes);
    return reader.isGood();
}

} // namespace

std::optional<TfExample> TfExample::parse(std::string_view data) {
    TfExample example;
    Reader message(data);
    while (const auto features = message.next()) {
        if (features->number != 1 || features->type != Field::Bytes)
            continue;
        Reader map(features->bytes);
        while (const auto entry = map.next()) {
            if (entry->number != 1 || entry->type != Field::Bytes)
                continue;
            Feature feature;
            std::string_view value;
            Reader pair(entry->bytes);
            while (const auto part = pair.next())
                if (part->type == Field::Bytes && part->number <= 2)
                    (part->number == 1 ? feature.name : value) = part->bytes;
            Reader oneOf(value);
            while (const auto list = oneOf.next())
                if (list->type == Field::Bytes && list->number <= 3) {
                    feature.kind = Kind(list->number);
                    feature.list = list->bytes;
                }
            bool isEmpty = true;
            if (!pair.isGood() || !oneOf.isGood() || !isListWhole(feature.list, feature.kind, isEmpty))
                return {};
            if (!isEmpty)
                example.m_features.push_back(feature);
        }
        if (!map.isGood())
            return {};
    }
    if (!message.isGood())
        return {};
    return example;
}

const TfExample::Feature* TfExample::find(std::string_view name, Kind kind) const {
    const auto found = std::find_if(m_features.rbegin(), m_features.rend(), // of a repeated key the last one counts
                                    [&](const Feature& feature) { return feature.name == name; });
    return found != m_features.rend() && (kind == Kind::None || found->kind == kind) ? &*found : nullptr;
}

TfExample::Kind TfExample::kind(std::string_view name) const {
    const Feature* feature = find(name, Kind::None);
    return feature ? feature->kind : Kind::None;
}

std::vector<std::string_view> TfExample::names() const {
    std::vector<std::string_view> names;
    for (const Feature& feature : m_features)
        names.push_back(feature.name);
    return names;
}

std::vector<std::string_view> TfExample::allBytes(std::string_view name) const {
    std::vector<std::string_view> values;
    if (const Feature* feature = find(name, Kind::Bytes)) {
        Reader reader(feature->list);
        while (const auto field = reader.next())
            if (field->number == 1 && field->type == Field::Bytes)
                values.push_back(field->bytes);
    }
    return values;
}

std::vector<float> TfExample::allFloats(std::string_view name) const {
    std::vector<float> values;
    if (const Feature* feature = find(name, Kind::Floats))
        eachNumber(feature->list, Field::Fixed32,
                   [&](std::uint64_t bits) { values.push_back(std::bit_cast<float>(std::uint32_t(bits))); });
    return values;
}

std::vector<std::int64_t> TfExample::allIntegers(std::string_view name) const {
    std::vector<std::int64_t> values;
    if (const Feature* feature = find(name, Kind::Integers))
        eachNumber(feature->list, Field::Varint, [&](std::uint64_t bits) { values.push_back(std::int64_t(bits)); });
    return values;
}

std::string_view TfExample::bytes(std::string_view name, std::string_view fallback) const {
    const auto values = allBytes(name);
    return values.empty() ? fallback : values.front();
}

std::int64_t TfExample::integer(std::string_view name, std::int64_t fallback) const {
    const auto values = allIntegers(name);
    return values.empty() ? fallback : values.front();
}

void TfExampleWriter::addFeature(std::string_view name, int kind, std::string_view list) {
    std::string feature, entry;
    protobuf::appendBytes(feature, std::uint32_t(kind), list);
    protobuf::appendBytes(entry, 1, name);
    protobuf::appendBytes(entry, 2, feature);
    protobuf::appendBytes(m_features, 1, entry);
}

void TfExampleWriter::add(std::string_view name, std::string_view bytes) {
    std::string list;
    protobuf::appendBytes(list, 1, bytes);
    addFeature(name, int(TfExample::Kind::Bytes), list);
}

void TfExampleWriter::add(std::string_view name, std::int64_t integer) {
    std::string packed, list;
    protobuf::appendVarint(packed, std::uint64_t(integer));
    protobuf::appendBytes(list, 1, packed);
    addFeature(name, int(TfExample::Kind::Integers), list);
}

void TfExampleWriter::add(std::string_view name, const std::vector<float>& floats) {
    std::string packed, list;
    for (const float value : floats)
        for (int i = 0; i < 4; ++i)
            packed += char((std::bit_cast<std::uint32_t>(value) >> (8 * i)) & 255);
    protobuf::appendBytes(list, 1, packed);
    addFeature(name, int(TfExample::Kind::Floats), list);
}

std::string TfExampleWriter::message() const {
    std::string message;
    protobuf::appendBytes(message, 1, m_features);
    return message;
}

} // namespace trainyard
