#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Protocol buffers as bytes, field by field: what tf.train.Example and event files need of them.
/// Source: "Encoding" in the Protocol Buffers documentation.
namespace trainyard::protobuf {

struct Field {
    enum Type { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    std::uint32_t number = 0;
    Type type = Varint;
    std::uint64_t value = 0; ///< of a number
    std::string_view bytes;  ///< of text, messages and packed lists
};

/// Takes a message apart. Borrows its bytes.
class Reader {
public:
    explicit Reader(std::string_view message) : m_rest(message) {}

    /// The next field; nothing at the end, and where the message is malformed: then `isGood` is false.
    std::optional<Field> next();
    std::optional<std::uint64_t> varint();
    bool atEnd() const { return m_rest.empty(); }
    bool isGood() const { return m_isGood; }

private:
    std::optional<std::uint64_t> fixed(std::size_t width);

    std::string_view m_rest;
    bool m_isGood = true;
};

void appendVarint(std::string& message, std::uint64_t value);
void appendBytes(std::string& message, std::uint32_t number, std::string_view bytes);
void appendNumber(std::string& message, std::uint32_t number, std::uint64_t value);
void appendDouble(std::string& message, std::uint32_t number, double value);
void appendFloat(std::string& message, std::uint32_t number, float value);
void appendPacked(std::string& message, std::uint32_t number, const std::vector<double>& values);

} // namespace trainyard::protobuf
