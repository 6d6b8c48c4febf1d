#include "model/model_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/data_report.hpp"

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

  // Their logarithms are spread evenly, as the priors are lognormal.
  void add_parameters_to(std::vector<std::string>& inputs) const {
    for (const DraftedParameter& one : draft_.parameters) inputs.push_back(fmt::format("log({})", one.name));
  }

  void field_network() {
    std::vector<std::string> inputs = draft_.network_inputs;
    add_parameters_to(inputs);
    line("[network.correction]                # what the theory lacks, from each point and its neighbours");
    line("kind     = \"{}\"", draft_.grid_height > 1 ? "conv2d" : "conv1d");
    line("inputs   = [\"{}\"]", fmt::join(inputs, "\", \""));
    line("channels = [16, 16]");
    line("activation = \"tanh\"");
    line("outputs  = [\"{}\"]\n", fmt::join(draft_.network_outputs, "\", \""));
  }

  void network() {
    std::vector<std::string> inputs = draft_.network_inputs;
    add_parameters_to(inputs);
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
    if (draft_.grid_height > 1)
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

}  // namespace

std::string write_model(const ModelDraft& draft, const DataTable& table, const TableProfile& profile,
                        const WindowProposal& windows, const NewModelOptions& options) {
  return ModelWriter(draft, table, profile, windows, options).write();
}

}  // namespace greybox
