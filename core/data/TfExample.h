#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// A tf.train.Example: features by name, each a list of byte strings, floats or integers. Borrows the bytes it was
/// parsed from. A feature that is missing, or empty, is its default. Source: TensorFlow's example.proto, feature.proto.
class TfExample {
public:
    enum class Kind { None, Bytes, Floats, Integers };

    /// Nothing when `data` is no such message.
    static std::optional<TfExample> parse(std::string_view data);

    /// Kind::None when the feature is missing or empty.
    Kind kind(std::string_view name) const;
    std::vector<std::string_view> names() const;

    /// The first value; `fallback` when there is none of that kind.
    std::string_view bytes(std::string_view name, std::string_view fallback = {}) const;
    std::int64_t integer(std::string_view name, std::int64_t fallback = 0) const;
    /// All values; none of another kind.
    std::vector<std::string_view> allBytes(std::string_view name) const;
    std::vector<float> allFloats(std::string_view name) const;
    std::vector<std::int64_t> allIntegers(std::string_view name) const;

private:
    struct Feature {
        std::string_view name, list; ///< `list` is the BytesList, FloatList or Int64List message
        Kind kind = Kind::None;
    };
    const Feature* find(std::string_view name, Kind kind) const;

    std::vector<Feature> m_features;
};

/// Builds the bytes of a tf.train.Example; features are written in the order they are added.
class TfExampleWriter {
public:
    void add(std::string_view name, std::string_view bytes);
    void add(std::string_view name, const char* text) { add(name, std::string_view(text)); }
    void add(std::string_view name, std::int64_t integer);
    void add(std::string_view name, const std::vector<float>& floats);
    std::string message() const;

private:
    void addFeature(std::string_view name, int kind, std::string_view list);

    std::string m_features;
};

} // namespace trainyard
