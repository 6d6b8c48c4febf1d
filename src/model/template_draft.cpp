// A first model from a textbook theory: its roles are given to columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/model_draft.hpp"
#include "model/template_cast.hpp"

namespace greybox {
namespace {

constexpr double kLargeSine = 0.7;  // of an angle that goes round and round
constexpr double kCelsius = 200;    // temperatures that stay below are in °C

class TemplateDraft {
 public:
  TemplateDraft(const TheoryTemplate& theory, TableProfile& profile, const WindowProposal& windows,
                const std::string& file)
      : theory_(theory), profile_(profile), has_windows_(windows.length > 0), cast_(theory, profile) {
    cast_.require(file);
    is_epidemic_ = !theory.roles[0].part_of.empty();
    if (is_epidemic_) population_ = epidemic_column({"population", "n", "pop", "n_total", "inhabitants"});
    // Where the susceptible are measured, nobody needs the recovered.
    if (is_epidemic_ && cast_[1] == nullptr)
      recovered_ = epidemic_column({"recovered", "removed", "r", "immune"});
    for (std::size_t r = 0; r < theory.roles.size(); ++r)
      if (theory.roles[r].is_input) input_ = cast_[r], input_role_ = theory.roles[r].name;
  }

  ModelDraft write() {
    draft_.method = theory_.method;
    draft_.unmeasured_at_first = profile_.unmeasured_at_first();
    add_definitions();
    for (std::size_t r = 0; r < theory_.roles.size(); ++r) add_role(theory_.roles[r], cast_[r]);
    for (const TemplateParameter& parameter : theory_.parameters)
      if (!parameter.is_of_input || input_ != nullptr)
        draft_.parameters.push_back({std::string(parameter.name), parameter.factor * unit(parameter.unit),
                                     std::string(parameter.about), parameter.sd});
    for (const TemplateEquation& equation : theory_.theory)
      draft_.theory.emplace_back(equation.name, filled_in(std::string(equation.text)));
    if (input_ != nullptr && input_->is_dose) draft_.add_depot(*input_, 4 * rate_of(profile_, *cast_[0]));
    add_rest();
    name_corrected();
    for (const auto& [state, initial] : draft_.state) draft_.network_inputs.push_back(state);
    // The theory counts in shares of the population: its size would only tell a network which series it sees.
    for (const auto& [input, column] : draft_.inputs)
      if (population_ == nullptr || column != population_->name) draft_.network_inputs.push_back(input);
    return std::move(draft_);
  }

 private:
  void add_role(const TemplateRole& role, const ColumnProfile* column) {
    const std::string name(role.name);
    if (role.is_input) {
      if (column != nullptr && !column->is_dose) draft_.add_input(name, *column);
      return;
    }
    if (column == nullptr) {
      role.hidden == HiddenStart::share&& recovered_ != nullptr ? add_susceptible(name) : add_hidden(role);
      return;
    }
    const std::string whole = role.part_of.empty() ? "" : population();
    draft_.state.emplace_back(name, column->name + (whole.empty() ? "" : " / " + whole));
    draft_.observe.emplace_back(column->name, name + (whole.empty() ? "" : " * " + whole));
  }

  void add_definitions() {
    for (const TemplateEquation& one : theory_.define)
      draft_.define.emplace_back(one.name, filled_in(std::string(one.text)));
    if (!theory_.to_fill_in.empty()) draft_.notes.emplace_back(theory_.to_fill_in);
    if (!is_epidemic_) return;
    note_other_counts();
    if (population_ != nullptr && !population_->is_constant) {
      draft_.add_input(population_->name, *population_);
      return;
    }
    const double size = population_ != nullptr ? population_->mean : 10 * positive(cast_[0]->high);
    draft_.define.emplace_back("n_total", fmt::format("{:.{}g}", size, population_ != nullptr ? 15 : 3));
    if (population_ == nullptr)
      draft_.notes.emplace_back("`n_total`, the size of the population, is a guess: write the true one");
  }

  // What an epidemic's table may tell besides its roles.
  const ColumnProfile* epidemic_column(std::initializer_list<std::string_view> names) const {
    const bool is_size = *names.begin() == "population";
    for (const std::string_view name : names)
      for (const ColumnProfile& column : profile_.columns)
        if (in_small_letters(column.name) == name && !cast_.has(column) &&
            (is_size ? column.is_constant || column.is_of_series()
                     : column.is_cumulative && !column.is_setting))
          return &column;
    return nullptr;
  }
  // The theory's infected are those who are ill at a time.
  void note_other_counts() {
    const ColumnProfile& counted = *cast_[0];
    const std::string name = in_small_letters(counted.name);
    const bool is_new = name.starts_with("new") || name.starts_with("daily") || name.starts_with("incidence");
    if (!counted.is_cumulative && !is_new) return;
    draft_.notes.push_back(fmt::format(
        "`{}` {}, and the theory's `infected` are those who are ill at a time: observe what it counts",
        counted.name, is_new ? "seems to count new cases" : "never falls, so it counts all cases so far"));
  }
  std::string population() const {
    return population_ != nullptr && !population_->is_constant ? population_->name : "n_total";
  }
  void add_susceptible(const std::string& name) {
    draft_.state.emplace_back(
        name, fmt::format("1 - ({} + {}) / {}", cast_[0]->name, recovered_->name, population()));
    const std::string rest = fmt::format("1 - {} - {}", name, theory_.roles[0].name);
    if (theory_.removed.text.empty()) {
      draft_.observe.emplace_back(recovered_->name, fmt::format("{} * ({})", population(), rest));
      return;
    }
    // Where more than these two have not been removed, the removed are a state of their own.
    const std::string removed(theory_.removed.name);
    draft_.state.emplace_back(removed, fmt::format("{} / {}", recovered_->name, population()));
    draft_.observe.emplace_back(recovered_->name, fmt::format("{} * {}", removed, population()));
    draft_.theory.emplace_back(removed, theory_.removed.text);
  }

  // Columns without a role: what acts from outside is the network's to read.
  void add_rest() {
    for (const ColumnProfile& column : profile_.columns) {
      if (cast_.has(column) || column.is_constant || &column == population_ || &column == recovered_)
        continue;
      if (column.is_setting && !column.is_dose) draft_.add_input(column.name, column);
      draft_.notes.push_back(
          column.is_setting && !column.is_dose
              ? fmt::format(
                    "`{}` acts from outside, and this theory has no term for it: the network reads it",
                    column.name)
              : fmt::format("`{}` has no part in this theory: add it as an input, or leave it", column.name));
    }
  }

  void name_corrected() {
    for (std::size_t r = 0; r < theory_.roles.size(); ++r)
      if (cast_[r] != nullptr &&
          std::ranges::find(theory_.corrected, theory_.roles[r].name) != theory_.corrected.end())
        draft_.network_outputs.emplace_back(theory_.roles[r].name);
    if (draft_.network_outputs.empty()) draft_.network_outputs.emplace_back(theory_.corrected.front());
  }

  // A window that begins in the middle of a series does not begin as the series does.
  void add_hidden(const TemplateRole& role) {
    const ColumnProfile& first = *cast_[0];
    std::string start(role.start);
    replace(start, "FIRST", first.name);
    replace(start, "n_total", population());
    if (has_windows_) {
      draft_.has_learned_starts = true;
      start = fmt::format("{{ start = \"learned\", {} }}", start_prior(role.hidden));
    }
    draft_.state.emplace_back(role.name, start);
    draft_.notes.push_back(fmt::format("no column measures `{}`: {}, which you may know better", role.name,
                                       has_windows_
                                           ? "where it starts is learned for every window, under a prior"
                                           : "it starts at " + start));
  }

  std::string start_prior(HiddenStart kind) const {
    const ColumnProfile& first = *cast_[0];
    if (kind == HiddenStart::share) return "prior = \"uniform\", low = 0, high = 1";
    if (kind == HiddenStart::share_like_first)
      return fmt::format("prior = \"lognormal\", mean = \"log(max({}, 1) / {})\", sd = 1", first.name,
                         population());
    if (kind == HiddenStart::rate_of_first)
      return fmt::format("mean = 0, sd = {}", rounded_number(2 * first.sd * rate_of(profile_, first)));
    return fmt::format("prior = \"lognormal\", mean = \"log({})\", sd = 1",
                       rounded_number(positive(first.mean)));
  }

  static void replace(std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
  }

  std::string filled_in(std::string text) const {
    const ColumnProfile* second = cast_[theory_.roles.size() > 1 ? 1 : 0];
    if (second != nullptr) replace(text, "SECOND_MEAN", rounded_number(second->mean));
    replace(text, "KELVIN", second != nullptr && second->high < kCelsius ? " + 273.15" : "");
    replace(text, "n_total", population());
    const std::size_t begin = text.find("INPUT(");
    if (begin == std::string::npos) return text;
    std::string inner = input_ != nullptr ? text.substr(begin + 6, text.size() - begin - 7) : "";
    if (input_ != nullptr && input_->is_dose) replace(inner, std::string(input_role_), "absorption * depot");
    return text.substr(0, begin) + inner;
  }

  // Of what the first role's column changes by, as a velocity does of an angle.
  double change_of_second() const {
    const ColumnProfile& first = *cast_[0];
    return cast_[1] != nullptr ? cast_[1]->slope : first.slope * first.slope / positive(first.sd);
  }

  double unit(PriorUnit kind) const {
    const ColumnProfile& first = *cast_[0];
    const double rate = rate_of(profile_, first);
    const ColumnProfile* second = cast_[std::min<std::size_t>(1, theory_.roles.size() - 1)];
    switch (kind) {
      case PriorUnit::rate:
        return rate;
      case PriorUnit::rate_of_root:
        return rate * std::sqrt(positive(first.mean));
      case PriorUnit::one:
        return 1;
      case PriorUnit::largest:
        return positive(first.high);
      case PriorUnit::decay:
        return first.decay > 0 ? first.decay : rate;
      case PriorUnit::growth_and_decay:
        return first.growth + first.decay > 0 ? first.growth + first.decay : 2 * rate;
      case PriorUnit::rate_per_first:
        return rate / positive(first.mean);
      case PriorUnit::rate_per_second:
        return rate / positive(second != nullptr ? second->mean : 1);
      case PriorUnit::rate_per_input:
        return input_ != nullptr && input_->is_dose
                   ? positive(first.high) / positive(input_->high)
                   : rate * positive(first.mean) / positive(input_ != nullptr ? input_->mean : 1);
      case PriorUnit::change_per_first:
        return positive(change_of_second() / std::min(positive(first.sd), kLargeSine));
      case PriorUnit::change_per_second:
        return positive(change_of_second() / (cast_[1] != nullptr ? positive(cast_[1]->sd) : first.slope));
      case PriorUnit::change_per_input:
        return positive(change_of_second() / positive(input_ != nullptr ? input_->sd : 1));
      case PriorUnit::one_per_input:
        return 1 / positive(input_ != nullptr ? input_->high : 1);
      case PriorUnit::second_per_first:
        return positive(second != nullptr ? second->sd : 1) / positive(first.sd);
    }
    return 1;
  }

  const TheoryTemplate& theory_;
  TableProfile& profile_;
  bool has_windows_, is_epidemic_ = false;
  TemplateCast cast_;
  const ColumnProfile *input_ = nullptr, *population_ = nullptr, *recovered_ = nullptr;
  std::string_view input_role_;
  ModelDraft draft_;
};

}  // namespace

ModelDraft template_draft(const TheoryTemplate& theory, TableProfile& profile, const WindowProposal& windows,
                          const std::string& file) {
  return TemplateDraft(theory, profile, windows, file).write();
}

}  // namespace greybox
