#pragma once

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::testing {

/// A folder of the real data sets that lie beside a checkout (`../shared/data/NAME`, or $TRAINYARD_SHARED_DATA/NAME);
/// nothing where there are none.
std::optional<std::filesystem::path> sharedData(const std::string& name);

/// A file of `tests/data`.
std::filesystem::path testData(const std::string& name);

/// Where the built programs lie (`bin/trainyard`).
std::filesystem::path programFolder();

/// A folder that is removed at the end of the scope.
class ScratchFolder {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }

private:
    QTemporaryDir m_folder;
};

} // namespace trainyard::testing

/// Binds `variable` to a folder of real data, or skips the test with a sentence.
#define NEED_SHARED_DATA(variable, name)                                                                               \
    const auto variable##Found = ::trainyard::testing::sharedData(name);                                               \
    if (!variable##Found)                                                                                              \
        QSKIP("needs ../shared/data/" name ", which is not beside this checkout");                                     \
    const std::filesystem::path variable = *variable##Found

/// Fails with the Error's sentence. Evaluates `result` once, so that it may be a deed.
#define VERIFY_RESULT(result)                                                                                          \
    do {                                                                                                               \
        const auto& verified = (result);                                                                               \
        QVERIFY2(verified.has_value(), verified.has_value() ? "" : verified.error().sentence().c_str());               \
    } while (false)
