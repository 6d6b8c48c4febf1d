// What a structural check found, in sentences.
#pragma once

#include <string>
#include <vector>

#include "greybox/structure.hpp"

namespace greybox {

std::vector<std::string> structure_sentences(const StructuralCheck& structure);

}  // namespace greybox
