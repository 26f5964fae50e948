#include "core/base/Error.h"

namespace trainyard {

std::string Error::sentence() const {
    std::string text;
    if (!where.empty())
        text += where + ": ";
    text += what;
    if (!remedy.empty())
        text += " " + remedy;
    return text;
}

int exitCode(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage:
        return 2;
    case ErrorKind::Data:
        return 3;
    case ErrorKind::NonFinite:
        return 4;
    case ErrorKind::Damaged:
        return 5;
    case ErrorKind::Interrupted:
        return 130;
    case ErrorKind::Unexpected:
        break;
    }
    return 1;
}

} // namespace trainyard
