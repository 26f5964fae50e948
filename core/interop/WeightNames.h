#pragma once

#include <string>
#include <vector>

namespace trainyard {

// What a tensor of ours may be called in the files of others, likeliest first. A '#' stands for a number that only the
// file knows (a pyramid blob is called after the last block of its stage).

/// In state dicts of torchvision: our own name, which is its newest one; its older ones; and, for a body, the name in
/// its network for classification.
std::vector<std::string> torchNames(const std::string& name);

/// In Detectron's files. `pyramidLevels` is how many body stages the pyramid of the model stands on; its coarsest is
/// res5. Of a name with a prefix in brackets ("_[mask]_res5_0_branch2a_w") the part behind it comes too: such a head
/// starts from the body's values where it has none of its own. Empty for what Detectron does not have.
std::vector<std::string> detectronNames(const std::string& name, int pyramidLevels);

/// How many "backbone.fpn.inner_blocks" there are among the names.
int pyramidLevelsOf(const std::vector<std::string>& names);

/// Whether `name` is `pattern`, whose '#' stand for digits.
bool isLike(const std::string& name, const std::string& pattern);

} // namespace trainyard
