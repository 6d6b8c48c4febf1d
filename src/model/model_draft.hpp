// A model that is being made up for a table, before it is written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/column_profile.hpp"

namespace greybox {

// The template without a state.
inline constexpr std::string_view kArrhenius = "arrhenius";

struct DraftedParameter {
  std::string name;
  double centre;
  std::string about;
};

// A model while it is being written.
struct ModelDraft {
  std::vector<std::pair<std::string, std::string>> made, inputs, define, state, theory, observe;
  // Inputs that change in steps.
  std::vector<std::string> stepped;
  std::vector<DraftedParameter> parameters;
  std::vector<std::string> network_inputs, network_outputs, notes;
  std::string rest_of_parameters;
  bool is_algebraic = false;

  void add_input(const std::string& name, const ColumnProfile& column);
};

// Names that no column may have in a model of this template.
std::vector<std::string> taken_names(const std::string& chosen);

// Three digits.
std::string rounded_number(double value);

// Of a template, or of none. Throws InputError for an unknown one, and where `file` lacks columns that it
// needs.
ModelDraft draft_model(const std::string& chosen, TableProfile& profile, const std::string& file);

}  // namespace greybox
