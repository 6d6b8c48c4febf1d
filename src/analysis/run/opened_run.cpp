#include "analysis/run/opened_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "language/lexer_characters.hpp"
#include "model/noise_data.hpp"
#include "model/regularizers.hpp"
#include "model/theta.hpp"
#include "train/adaptation_cure.hpp"
#include "train/start_fit.hpp"

namespace greybox {
namespace {

// A lone word that names no regularizer is a slip and not an expression.
void check_names(const ModelSpec& spec, const std::vector<std::string>& regularizers, const char* option) {
  std::vector<std::string> names;
  for (const Equation& known : spec.regularizers) names.push_back(known.name);
  names.insert(names.end(), kErrorNames.begin(), kErrorNames.end());
  for (const std::string& name : regularizers) {
    if (!is_identifier(name) || std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest_name(name, names);
    refuse_option(option, fmt::format("the model has no regularizer `{}`", name),
                  near ? fmt::format("did you mean `{}`?", *near)
                       : fmt::format("there is {}; or give an expression such as \"mean(norm2(network))\"",
                                     fmt::join(names, ", ")));
  }
}

void add_warnings(OpenedRun& run) {
  if (!run.record) return;
  const TrainMode mode = run.record->options.mode;
  if (mode == TrainMode::tailored)
    run.warnings.push_back(
        "the run was trained in mode tailored: its network knows θ where its own steps lead, and values at "
        "others say little");
  else if (mode != TrainMode::adaptive)
    run.warnings.push_back(fmt::format(
        "the run was trained in mode {}: its network knows one θ, and values at others say little",
        to_string(mode)));
  if (run.record->fit && run.record->fit->word != FitWord::fits)
    run.warnings.push_back("the run " + run.record->fit->sentence);
  const DataTable& table = run.loaded.data->table();
  if (run.has_own_data && table.is_file && table.sha256 != run.record->data.sha256)
    run.warnings.push_back(fmt::format("{} changed since the run was trained", table.file));
}

}  // namespace

double OpenedRun::loss_limit() const {
  const bool is_known = record && record->fit && std::isfinite(record->fit->loss_limit);
  return is_known ? record->fit->loss_limit : std::numeric_limits<double>::infinity();
}

std::string OpenedRun::adaptation_cure() const {
  return greybox::adaptation_cure(record ? objective_parts(*record, *trained.model) : ObjectiveParts{});
}

std::string OpenedRun::name() const {
  const std::filesystem::path folder = handle.folder();
  return folder.empty() ? loaded.spec->name : folder.string();
}

std::vector<double> weights_for(const OpenedRun& run, const LoadedModel& loaded,
                                const std::vector<double>& weights, const std::optional<RunRecord>& record) {
  const std::shared_ptr<const ModelSpec> spec = run.handle.model().spec();
  if (!spec->has_learned_starts()) return weights;
  if (spec->scales && loaded.spec->scales && spec->scales->starts == loaded.spec->scales->starts &&
      loaded.spec->has_learned_starts())
    return weights;
  StartKnowledge known;
  if (record && !record->theta.empty()) known.theta = theta_from(*spec, record->theta);
  if (record) known.variance = record->loss;
  ThreadPool pool(1);
  return weights_on(loaded, *bind_model(spec, nullptr), weights, known, pool);
}

OpenedRun open_run(const Run& handle, const OpenOptions& options) {
  RunState& state = handle.state();
  require_finished(state);
  check_names(*state.model.spec(), options.regularizers, options.option);
  OpenedRun run{.handle = handle, .loaded = {}};
  run.has_own_data = options.table == nullptr;
  run.record = handle.record();
  run.trained =
      assemble(state.model.spec(), options.table ? with_run_inputs(state, options.table) : own_table(state),
               options.regularizers);
  run.loaded = without_noise(run.trained);
  if (run.loaded.data->windows().windows.empty())
    refuse(run.loaded.data->table().file, "the data give no window to look at",
           "every series is shorter than the model's window, or all windows were dropped");
  run.weights = weights_for(run, run.trained, state.weights, run.record);
  add_warnings(run);
  return run;
}

std::size_t regularizer_place(const BoundModel& model, const std::string& name) {
  const auto is_it = [&](const BoundRegularizer& known) { return known.name == name; };
  return static_cast<std::size_t>(std::find_if(model.regularizers.begin(), model.regularizers.end(), is_it) -
                                  model.regularizers.begin());
}

}  // namespace greybox
