// Textbook theories that a new model file can start from.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace greybox {

// What is known of the start of a state that no column measures, in a window that begins anywhere in a
// series.
enum class HiddenStart {
  none,              // a column has to measure it
  share,             // between 0 and 1
  like_first,        // positive, of the size of the first role's column
  rate_of_first,     // of the size of that column's rate of change
  share_like_first,  // of the size of that column's share of the population
};

// A state, or an input, of a template. It is measured by the column whose name is one of `hints`, or else by
// the next column that has no role yet.
struct TemplateRole {
  std::string_view name;
  std::vector<std::string_view> hints;
  HiddenStart hidden = HiddenStart::none;
  // Where no column measures it and windows are whole series: its initial value, where FIRST is the first
  // role's column.
  std::string_view start = {};
  // A definition that the state is a part of, while the column measures the whole.
  std::string_view part_of = {};
  bool is_input = false;
  // No column of another name may have it.
  bool is_by_name = false;

  bool needs_column() const { return hidden == HiddenStart::none; }
};

// The centre of its prior is `factor` times a unit that is measured from the data.
enum class PriorUnit {
  rate,          // 1 / (the time in which the data change)
  rate_of_root,  // rate × (the root of the mean of the first role's column)
  one,
  largest,           // of the first role's column
  decay,             // of the logarithm of the first role's column, where it falls
  growth_and_decay,  // how fast that logarithm rises, and falls
  rate_per_first,    // rate / (the mean of the first role's column)
  rate_per_second,
  rate_per_input,  // rate × (the mean of the first role's column) / (the mean of the input), or, of doses,
                   // (the largest of the first role's column) / (the largest dose)
  // How fast the second role's column changes, over the spread of the first's, its own, and the input's;
  // where no column has that role, it is how fast the first's changes.
  change_per_first,
  change_per_second,
  change_per_input,
  one_per_input,     // 1 / (the largest of the input)
  second_per_first,  // (the spread of the second role's column) / (that of the first's)
};
struct TemplateParameter {
  std::string_view name;
  PriorUnit unit;
  double factor;
  std::string_view about;
  // Of an input: left out where there is none.
  bool is_of_input = false;
  // Of the logarithm. Rates of states that are driven, or hidden, show least in how fast the data change.
  double sd = 0.5;
};

// `SECOND_MEAN` stands for the mean of the second role's column.
struct TemplateEquation {
  std::string_view name, text;
};

struct TheoryTemplate {
  std::string_view name, about;
  std::vector<TemplateRole> roles;
  std::vector<TemplateParameter> parameters;
  // What a user has to fill in, with the sentence that says so.
  std::vector<TemplateEquation> define = {};
  std::string_view to_fill_in = {};
  // Of the states; `INPUT(x)` is x where there is an input, and nothing where there is none. A dose is an
  // input that goes through a depot.
  std::vector<TemplateEquation> theory;
  // Of an epidemic: the state of those who have recovered, where a column counts them and the other states do
  // not say how many they are.
  TemplateEquation removed = {};
  std::string_view method = "tsit5";
  // States whose derivative the network corrects, if a column measures them.
  std::vector<std::string_view> corrected;
};

std::span<const TheoryTemplate> theory_templates();

}  // namespace greybox
