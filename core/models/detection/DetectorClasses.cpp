#include "core/models/detection/DetectorClasses.h"

#include <fmt/format.h>

namespace trainyard {

Result<std::int64_t> detectorClasses(const std::string& key, std::int64_t asked, const ModelContext& context) {
    const auto known = std::int64_t(context.classes.size());
    if (asked == 0 && known == 0)
        return Error{ErrorKind::Usage, "The number of classes is not known.", key,
                     fmt::format("Give data with classes, or set {}.", key)};
    if (asked != 0 && asked < known)
        return Error{ErrorKind::Usage,
                     fmt::format("The data has {} classes, but the model is to have {}.", known, asked), key,
                     "Set it to 0 to take the data's, or merge classes with data.classes."};
    return asked == 0 ? known : asked;
}

} // namespace trainyard
