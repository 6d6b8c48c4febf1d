// `greybox check`: a model file read, bound and explained.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace greybox {

struct CheckReport {
  std::string text;                   // the model as mathematics, sizes, parameters, data: for a person
  std::string json;                   // the same as one JSON object
  std::vector<std::string> warnings;  // what is suspicious though not wrong
};

// Throws InputError when the model file or its data are wrong. A data file that is not there is only
// suspicious.
CheckReport check_model(const std::filesystem::path& model_file);

}  // namespace greybox
