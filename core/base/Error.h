#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// What went wrong, as far as a program must care: it decides the exit code and the icon.
enum class ErrorKind {
    Unexpected,  ///< a failure nobody foresaw: exit code 1
    Usage,       ///< a wrong command line or configuration: exit code 2
    Data,        ///< a dataset that cannot be used: exit code 3
    NonFinite,   ///< a loss that is NaN or infinite: exit code 4
    Damaged,     ///< a checkpoint or project that is damaged, locked, read-only or out of space: exit code 5
    Interrupted, ///< stopped by the user after a checkpoint: exit code 130
};

/// A failure as a sentence for a person: what happened, where, what to do about it. Immutable by habit; any thread.
struct Error {
    ErrorKind kind = ErrorKind::Unexpected;
    std::string what;   ///< one sentence, with its full stop
    std::string where;  ///< a file, `file:line:column`, a key, a run; may be empty
    std::string remedy; ///< one sentence: what to do; may be empty
    std::vector<Error> others = {}; ///< further problems that were found together with this one

    /// "where: what remedy" on one line; each of the others on a line of its own.
    std::string sentence() const;
};

/// The process exit code that `kind` stands for.
int exitCode(ErrorKind kind);

/// A value, or the Error that took its place. `return Error{…};` works in a function that returns a Result.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
    using Base = tl::expected<T, Error>;

public:
    using Base::Base;
    Result(Error error) : Base(tl::unexpected<Error>(std::move(error))) {}
};

template <>
class [[nodiscard]] Result<void> : public tl::expected<void, Error> {
    using Base = tl::expected<void, Error>;

public:
    using Base::Base;
    Result(Error error) : Base(tl::unexpected<Error>(std::move(error))) {}
};

} // namespace trainyard
