// Writes a first model file for a table.
#include "greybox/new_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "data/date.hpp"
#include "data/long_guess.hpp"
#include "data/missing_guess.hpp"
#include "data/npz_table.hpp"
#include "data/series_guess.hpp"
#include "data/time_guess.hpp"
#include "model/data_report.hpp"
#include "model/model_draft.hpp"
#include "model/template_table.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewestObserved = 4;
// Each takes seconds.
constexpr std::size_t kEpochsOfFields = 100;
// λ over the squared duration of a window, and the powers of ten that it is kept between.
constexpr double kLambdaOfDuration = 3e-4;
constexpr int kLeastLambdaExponent = -12, kMostLambdaExponent = -2;

class ModelWriter {
 public:
  ModelWriter(const ModelDraft& draft, const DataTable& table, const TableProfile& profile,
              const WindowProposal& windows, const NewModelOptions& options)
      : draft_(draft), table_(table), profile_(profile), windows_(windows), options_(options) {}

  std::string write() {
    head();
    data();
    grid();
    parameters();
    equations("define", draft_.define, "fill in what you know");
    inputs();
    equations("state", draft_.state, "initial values, from columns of a window's first row");
    equations("theory", draft_.theory,
              draft_.is_algebraic ? "what is known of the outputs"
                                  : "time derivatives: what is known of the system");
    draft_.has_grid() ? field_network() : network();
    equations("observe", draft_.observe, "what is compared with which column");
    rest();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  void head() {
    line("# A first model of {}, written by `greybox new`: change whatever you know better.",
         options_.data_name);
    line("# Next: greybox check, then greybox train. docs/model-file.md explains every key.");
    for (const std::string& note : draft_.notes) line("# Note: {}.", note);
    line("name  = \"{}\"", std::filesystem::path(options_.data_name).stem().string());
    line("about = \"what the model is of\"\n");
  }

  void data() {
    line("[data]");
    line("file = \"{}\"", options_.data_name);
    if (!options_.table.series_column.empty()) line("series = \"{}\"", options_.table.series_column);
    if (!table_.time_name.empty())
      line("time = \"{}\"{}", table_.time_name,
           options_.table.time_unit.empty() ? "              # rates are per unit of this column" : "");
    if (table_.time_name.empty() && !draft_.is_algebraic)
      line(
          "time = \"none\"                     # no time column was found: rows are counted, rates are per "
          "row");
    if (!options_.table.variable_column.empty())
      line("long = {{ variable = \"{}\", value = \"{}\" }}   # one value per row",
           options_.table.variable_column, options_.table.value_column);
    if (!options_.table.time_unit.empty())
      line("time_unit = \"{}\"                # rates are per one of these", table_.time_unit);
    if (!options_.table.missing_words.empty())
      line("missing_words = [\"{}\"]           # cells that are taken for missing",
           fmt::join(options_.table.missing_words, "\", \""));
    if (!draft_.is_algebraic && windows_.length > 0)
      line("window = {{ length = {}, stride = {}{} }}   # rows: about the time in which the data change",
           windows_.length, windows_.stride, observed());
    if (draft_.is_algebraic)
      line("split  = {{ train = 0.6, validation = 0.2, test = 0.2, by = \"window\" }}");
    else if (windows_.holds_back())
      line("split  = {{ train = {}, validation = {}, test = {}, by = \"{}\" }}{}", windows_.split.train,
           windows_.split.validation, windows_.split.test,
           windows_.split.by == SplitBy::time ? "time" : "series",
           windows_.split.by == SplitBy::time ? "   # the last part of each series tests" : "");
    else
      line("# too few rows to hold some back: nothing will tell how the model does on data it has not seen");
    rename();
    equations("data.columns", draft_.made, "columns made from those of the file");
    if (draft_.made.empty()) text_ += '\n';
  }

  // A third of the snapshots, and enough to tell a hidden state from noise.
  std::string observed() const {
    if (!draft_.has_learned_starts) return "";
    const std::size_t most = windows_.length - 1;
    return fmt::format(", observed = {}",
                       std::min(std::max<std::size_t>(kFewestObserved, windows_.length / 3), most));
  }

  void rename() {
    bool is_first = true;
    for (const ColumnProfile& column : profile_.columns) {
      if (column.name == column.file_name) continue;
      if (is_first) line("\n[data.rename]                       # names that equations can use");
      is_first = false;
      line("{} = \"{}\"", column.name, column.file_name);
    }
  }

  void grid() {
    if (!draft_.has_grid()) return;
    line("[grid]");
    if (draft_.grid_height > 1) line("height = {}", draft_.grid_height);
    line("width = {}", draft_.grid_width);
    line("spacing = {:32} # distance between points, in the unit of lengths", draft_.spacing);
    if (!draft_.origin.empty()) line("origin  = {:32} # where the first point is", draft_.origin);
    line(
        "boundary = {}\n# what lies beyond the edges, as they look: \"no_flux\", \"periodic\" or \"fixed\"\n",
        draft_.boundary);
  }

  void parameters() {
    line("[parameters]                        # priors: make them say what you know before seeing the data");
    for (const DraftedParameter& one : draft_.parameters)
      line("{} = {{ prior = \"lognormal\", mean = \"log({})\", sd = {}, about = \"{}\" }}", one.name,
           rounded_number(one.centre), one.sd, one.about);
    text_ += draft_.rest_of_parameters;
    text_ += '\n';
  }

  void equations(std::string_view table, const std::vector<std::pair<std::string, std::string>>& list,
                 std::string_view about) {
    if (list.empty()) return;
    line("{}[{}]{:{}}# {}", table == "data.columns" ? "\n" : "", table, "",
         34 - std::min<std::size_t>(table.size(), 33), about);
    for (const auto& [name, text] : list)
      line("{} = {}", name, text.starts_with('{') ? text : '"' + text + '"');
    text_ += '\n';
  }

  void inputs() {
    if (draft_.inputs.empty() && draft_.boluses.empty()) return;
    line("[inputs]                            # signals that act on the system, linear between their rows;");
    line("                                    # hold = \"previous\": they change in steps");
    for (const auto& [name, text] : draft_.inputs)
      if (std::ranges::find(draft_.stepped, name) == draft_.stepped.end())
        line("{} = \"{}\"", name, text);
      else
        line("{} = {{ equation = \"{}\", hold = \"previous\" }}", name, text);
    for (const auto& [column, state] : draft_.boluses)
      line("{0} = {{ equation = \"{0}\", hold = \"bolus\", into = \"{1}\" }}", column, state);
    text_ += '\n';
  }

  void field_network() {
    std::vector<std::string> inputs = draft_.network_inputs;
    for (const DraftedParameter& one : draft_.parameters) inputs.push_back(one.name);
    line("[network.correction]                # what the theory lacks, from each point and its neighbours");
    line("kind     = \"{}\"", draft_.grid_height > 1 ? "conv2d" : "conv1d");
    line("inputs   = [\"{}\"]", fmt::join(inputs, "\", \""));
    line("channels = [16, 16]");
    line("activation = \"tanh\"");
    line("outputs  = [\"{}\"]\n", fmt::join(draft_.network_outputs, "\", \""));
  }

  void network() {
    std::vector<std::string> inputs = draft_.network_inputs;
    for (const DraftedParameter& one : draft_.parameters) inputs.push_back(one.name);
    for (std::size_t from = 0; from < draft_.rest_of_parameters.size();) {
      const std::size_t end = draft_.rest_of_parameters.find('\n', from);
      inputs.push_back(
          draft_.rest_of_parameters.substr(from, draft_.rest_of_parameters.find(' ', from) - from));
      from = end + 1;
    }
    inputs.emplace_back("theory");
    line(
        "[network.correction]                # what the theory lacks; it reads θ, so that it can adapt to "
        "it");
    line("inputs  = [\"{}\"]", fmt::join(inputs, "\", \""));
    line("hidden  = [32, 32]");
    line(
        "activation = \"tanh\"               # bounded, so that it does not drive a state that runs away "
        "further");
    line("outputs = [\"{}\"]\n", fmt::join(draft_.network_outputs, "\", \""));
  }

  void rest() {
    if (!draft_.is_algebraic)
      line("[solver]\nmethod = \"{}\"                    # chooses its steps{}\n", draft_.method,
           draft_.has_grid()         ? ""
           : draft_.method == "auto" ? ", and the method by how stiff the theory is"
                                     : "; kvaerno5 where rates are very different");
    line("[regularizers]                      # what a good correction looks like; compare several");
    line("size_of_correction = \"mean(norm2(network))\"\n");
    line("[train]");
    line("regularizer = \"size_of_correction\"");
    line(
        "lambda = 1e{}                       # more would hold back large corrections; R is judged "
        "afterwards",
        lambda_exponent());
    line("recipe = \"auto\"                     # chooses rate, epochs and batch");
    if (draft_.has_grid())
      line("epochs = {}                        # at most; more fit better", kEpochsOfFields);
  }

  // Corrections are rates in R, and rates times a window's duration T in L: λ / T² is small.
  int lambda_exponent() const {
    if (draft_.is_algebraic) return kMostLambdaExponent - 1;
    const TimeSummary time = time_summary(table_);
    const double duration = windows_.length > 0 ? static_cast<double>(windows_.length - 1) * time.median_step
                                                : time.last - time.first;
    const double exponent = std::floor(std::log10(kLambdaOfDuration * duration * duration));
    return static_cast<int>(std::clamp<double>(exponent, kLeastLambdaExponent, kMostLambdaExponent));
  }

  const ModelDraft& draft_;
  const DataTable& table_;
  const TableProfile& profile_;
  const WindowProposal& windows_;
  const NewModelOptions& options_;
  std::string text_;
};

// In which rates are neither large nor small; `step` is in days.
std::string unit_for(double step) {
  constexpr double hour = 1.0 / 24, minute = hour / 60;
  if (step > 10 * hour) return "days";
  return step > minute ? "hours" : "seconds";
}

// Columns that the caller knows to be inputs.
void mark_inputs(TableProfile& profile, const std::vector<std::string>& inputs, const std::string& file) {
  for (const std::string& input : inputs) {
    const auto found = std::ranges::find_if(profile.columns, [&](const ColumnProfile& column) {
      return column.name == input || column.file_name == input;
    });
    if (found != profile.columns.end()) {
      found->is_setting = true;
      continue;
    }
    // Several at once, separated by commas; a name may have one itself.
    if (const std::size_t comma = input.find(','); comma != std::string::npos) {
      mark_inputs(profile, {input.substr(0, comma), input.substr(comma + 1)}, file);
      continue;
    }
    std::vector<std::string> names;
    for (const ColumnProfile& column : profile.columns) names.push_back(column.file_name);
    const auto near = nearest_name(input, names);
    refuse_option("inputs", fmt::format("`{}` has no column `{}`", file, input),
                  near ? fmt::format("did you mean `{}`?", *near)
                       : fmt::format("its columns are {}", fmt::join(names, ", ")));
  }
}

// Where there are doses, a row of a dose and one of a measurement may have the same time.
DataTable read_table_with_doses(const std::filesystem::path& data, TableOptions& options) {
  options.may_repeat_times = true;
  DataTable table = read_table(data, options);
  options.may_repeat_times = profile_of(table, {}).has_doses();
  return options.may_repeat_times ? std::move(table) : read_table(data, options);
}

}  // namespace

std::vector<ModelTemplate> model_templates() {
  std::vector<ModelTemplate> templates;
  for (const TheoryTemplate& one : theory_templates())
    templates.push_back({std::string(one.name), std::string(one.about)});
  templates.push_back({std::string(kArrhenius), "how a rate depends on temperature"});
  return templates;
}

std::string new_model(const std::filesystem::path& data, const NewModelOptions& options) {
  NewModelOptions chosen = options;
  if (chosen.data_name.empty()) chosen.data_name = data.filename().string();
  chosen.table.needs_time = options.template_name != kArrhenius;
  guess_long_format(data, chosen.table);
  if (chosen.table.time_column.empty() && chosen.table.needs_time)
    chosen.table.time_column = guessed_time_column(data, chosen.table);
  const bool is_time_guessed = chosen.table.time_column != options.table.time_column;
  if (chosen.table.series_column.empty())
    chosen.table.series_column = guessed_series_column(data, chosen.table);
  for (std::string& word : guessed_missing_words(data, chosen.table))
    chosen.table.missing_words.push_back(std::move(word));
  DataTable table = read_table_with_doses(data, chosen.table);
  // What is measured in milliseconds has velocities per second.
  const bool is_finer = seconds_of(unit_in_name(table.time_name)).value_or(1) < 1;
  if ((table.has_dates || is_finer) && chosen.table.time_unit.empty()) {
    chosen.table.time_unit = table.has_dates ? unit_for(time_summary(table).median_step) : "seconds";
    table = read_table(data, chosen.table);
  }
  for (const Column& column : table.columns)
    if (const auto sentinel = column.is_field() ? std::nullopt : find_sentinel(column))
      chosen.table.missing_words.push_back(fmt::format("{:g}", sentinel->value));
  if (chosen.table.missing_words.size() > options.table.missing_words.size())
    table = read_table(data, chosen.table);
  TableProfile profile = profile_of(table, taken_names(options.template_name));
  mark_inputs(profile, options.inputs, table.file);
  const WindowProposal windows =
      profile.has_doses() ? propose_whole_series(table, profile) : propose_windows(table, profile);
  ModelDraft draft = draft_model(options.template_name, profile, windows, table.file);
  if (draft.has_grid()) place_on_grid(table, read_npz_axes(data, chosen.table), draft);
  if (is_time_guessed)
    draft.notes.push_back(fmt::format(
        "no column has a usual name of times, and `{}` rises throughout: it is taken for the time",
        table.time_name));
  return ModelWriter(draft, table, profile, windows, chosen).write();
}

}  // namespace greybox
