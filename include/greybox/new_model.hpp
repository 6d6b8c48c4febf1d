// A first model file for data: columns, times, windows, splits and priors to start from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/table.hpp"

namespace greybox {

struct NewModelOptions {
  // One of `model_templates()`; empty: every variable relaxes to a level.
  std::string template_name = {};
  // What [data] of the model file calls the data file; empty: its name without folders.
  std::string data_name = {};
  // Columns that act on the system, besides those that look like it (few values, or values held for a while).
  std::vector<std::string> inputs = {};
  TableOptions table = {};
};

struct ModelTemplate {
  std::string name, about;
};
std::vector<ModelTemplate> model_templates();

// The text of a commented model file that `check` accepts as it is. Throws InputError for data that cannot be
// read, and for a template that needs other columns.
std::string new_model(const std::filesystem::path& data, const NewModelOptions& options = {});

}  // namespace greybox
