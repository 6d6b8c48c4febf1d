// A model that is being made up for a table, before it is written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/npz_axes.hpp"
#include "model/column_profile.hpp"
#include "model/window_proposal.hpp"

namespace greybox {

struct TheoryTemplate;

// The template without a state.
inline constexpr std::string_view kArrhenius = "arrhenius";

struct DraftedParameter {
  std::string name;
  double centre;
  std::string about;
  // Of the logarithm.
  double sd = 0.5;
};

// A model while it is being written.
struct ModelDraft {
  // Equations; of states also tables that say more.
  std::vector<std::pair<std::string, std::string>> made, inputs, define, state, theory, observe;
  // Inputs that change in steps.
  std::vector<std::string> stepped;
  // Columns of doses, and the states that they are added to.
  std::vector<std::pair<std::string, std::string>> boluses;
  // Columns that most series begin without.
  std::vector<std::string> unmeasured_at_first;
  std::vector<DraftedParameter> parameters;
  std::vector<std::string> network_inputs, network_outputs, notes;
  std::string rest_of_parameters, method = "tsit5";
  // Of a model of fields; 0 for others.
  std::size_t grid_height = 0, grid_width = 0;
  // As the file has them; `origin` is empty where nobody knows it.
  std::string spacing = "1", origin, boundary = "\"no_flux\"", first_field;
  bool is_algebraic = false;
  // Of windows that are not learned from, these starts are found in their first snapshots.
  bool has_learned_starts = false;

  bool has_grid() const { return grid_width > 0; }
  void add_input(const std::string& name, const ColumnProfile& column);
  // A state that doses are added to; gives what leaves it per unit of time.
  std::string add_depot(const ColumnProfile& dose, double rate);
};

// Names that no column may have in a model of this template.
std::vector<std::string> taken_names(const std::string& chosen);

// 1 / (the time in which a column changes).
double rate_of(const TableProfile& profile, const ColumnProfile& column);

// 1 in place of what is no size.
double positive(double value);

// A rate by temperature, without a state.
ModelDraft arrhenius_draft(const TableProfile& profile, const std::string& file);

// Fields that spread.
ModelDraft field_draft(const TableProfile& profile, const std::string& file);
// Where the points are, as far as the table says so, with priors in that unit of lengths; what the fields'
// edges look like.
void place_on_grid(const DataTable& table, const std::vector<GridAxis>& axes, ModelDraft& draft);

// Three digits.
std::string rounded_number(double value);

// A role for each column that has one.
ModelDraft template_draft(const TheoryTemplate& theory, TableProfile& profile, const WindowProposal& windows,
                          const std::string& file);

// Of a template, or of none. Throws InputError for an unknown one, and where `file` lacks columns that it
// needs.
ModelDraft draft_model(const std::string& chosen, TableProfile& profile, const WindowProposal& windows,
                       const std::string& file);

}  // namespace greybox
