#include "analysis/run/opened_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/checksum.hpp"
#include "core/nearest_name.hpp"
#include "greybox/version.hpp"
#include "language/lexer_characters.hpp"
#include "model/weights.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

// "0.1" of "0.1.7": versions that agree in it read each other's runs.
std::string series_of(const std::string& version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

// A record of another version may be read wrongly; weights and model alone are safe, for their shapes are
// checked.
void check_version(const std::filesystem::path& folder) {
  const Json record = read_record(folder);
  const std::string made_by = record.value("version", "unknown"), own(version());
  if (series_of(made_by) == series_of(own)) return;
  throw InputError(Diagnostic{
      .file = (folder / kRecordName).string(),
      .message = fmt::format("the run was made by greybox {}, and this is {}", made_by, own),
      .help = "use that version, train again, or copy model.toml and weights.npz alone into another folder "
              "(docs/weights.md)"});
}

// A lone word that names no regularizer is a slip and not an expression.
void check_names(const ModelSpec& spec, const std::vector<std::string>& regularizers) {
  std::vector<std::string> names;
  for (const Equation& known : spec.regularizers) names.push_back(known.name);
  for (const std::string& name : regularizers) {
    if (!is_identifier(name) || std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest_name(name, names);
    throw InputError(Diagnostic{
        .file = "--regularizer",
        .message = fmt::format("the model has no regularizer `{}`", name),
        .help = near ? fmt::format("did you mean `{}`?", *near)
                : names.empty()
                    ? "it has none: give an expression such as \"mean(norm2(network))\""
                    : fmt::format("it has {}; or give an expression such as \"mean(norm2(network))\"",
                                  fmt::join(names, ", "))});
  }
}

void add_warnings(OpenedRun& run) {
  if (!run.info) return;
  if (run.info->mode != TrainMode::adaptive)
    run.warnings.push_back(fmt::format(
        "the run was trained in mode {}: its network knows one θ, and values at others say little",
        to_string(run.info->mode)));
  if (run.has_own_data && sha256_of_file(run.loaded.data->table().file) != run.info->data_sha256)
    run.warnings.push_back(
        fmt::format("{} changed since the run was trained", run.loaded.data->table().file));
}

}  // namespace

void check_run_folder(const std::filesystem::path& folder) {
  const auto refuse = [&](std::string message, std::string help) {
    throw InputError(
        Diagnostic{.file = folder.string(), .message = std::move(message), .help = std::move(help)});
  };
  const bool has_record = std::filesystem::exists(folder / kRecordName);
  if (has_record) check_version(folder);
  if (has_record && !read_run(folder).is_finished)
    refuse("the run did not finish", "continue it with `greybox train MODEL -o RUN --resume`");
  for (const char* name : {"model.toml", "weights.npz"})
    if (!std::filesystem::exists(folder / name))
      refuse(fmt::format("this is not a run folder: it has no {}", name),
             "give the folder that `greybox train` made, or put model.toml and weights.npz there "
             "(docs/weights.md)");
}

OpenedRun open_run(const std::filesystem::path& folder, const std::filesystem::path& data,
                   const std::vector<std::string>& regularizers, const Table* table) {
  check_run_folder(folder);
  check_names(read_model_spec(folder / "model.toml"), regularizers);
  OpenedRun run;
  run.folder = folder;
  run.has_own_data = data.empty() && !table;
  if (std::filesystem::exists(folder / kRecordName)) run.info = read_run(folder);
  const std::filesystem::path own = run.info ? run.info->data : std::filesystem::path();
  run.loaded = load_model(folder / "model.toml", {.data = data.empty() ? own : data,
                                                  .extra_regularizers = regularizers,
                                                  .data_may_be_missing = false,
                                                  .table = table});
  if (run.loaded.data->windows().windows.empty())
    throw InputError(
        Diagnostic{.file = run.loaded.data->table().file,
                   .message = "the data give no window to look at",
                   .help = "every series is shorter than the model's window, or all windows were dropped"});
  run.weights = read_weights(folder / "weights.npz", NetworkSet<double>(*run.loaded.model).tensors());
  add_warnings(run);
  return run;
}

std::size_t regularizer_place(const BoundModel& model, const std::string& name) {
  const auto is_it = [&](const BoundRegularizer& known) { return known.name == name; };
  return static_cast<std::size_t>(std::find_if(model.regularizers.begin(), model.regularizers.end(), is_it) -
                                  model.regularizers.begin());
}

}  // namespace greybox
