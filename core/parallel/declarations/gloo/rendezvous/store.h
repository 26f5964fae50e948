#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gloo::rendezvous {

/// What c10d's GlooStore overrides in one version of LibTorch or another. Never constructed by us.
class Store {
public:
    using Bytes = std::vector<char>;
    using Keys = std::vector<std::string>;
    static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(30);
    virtual ~Store();
    virtual void set(const std::string& key, const Bytes& value);
    virtual Bytes get(const std::string& key);
    virtual void wait(const Keys& keys);
    virtual void wait(const Keys& keys, const std::chrono::milliseconds& timeout);
    virtual bool has_v2_support();
    virtual std::vector<Bytes> multi_get(const Keys& keys);
    virtual void multi_set(const Keys& keys, const std::vector<Bytes>& values);
    virtual void append(const std::string& key, const Bytes& value);
    virtual std::int64_t add(const std::string& key, std::int64_t value);
};

} // namespace gloo::rendezvous
