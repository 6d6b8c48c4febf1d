#include "analysis/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <utility>

#include "analysis/reproduce/kept_landscapes.hpp"
#include "analysis/run/window_choice.hpp"
#include "core/checksum.hpp"
#include "core/machine.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "greybox/error.hpp"
#include "greybox/version.hpp"

namespace greybox {
namespace {

std::string text_of(const Selection& on) {
  if (const auto* splits = std::get_if<Splits>(&on)) return to_string(*splits);
  if (const auto* index = std::get_if<WindowIndex>(&on)) return fmt::format("window {}", index->index);
  if (const auto* at = std::get_if<WindowAt>(&on)) return fmt::format("{}:{}", at->series, at->time);
  return "";
}

// Says of which network and of which question a landscape is.
std::string key_of(const Run& run, const LandscapeOptions& request, bool has_verdicts) {
  Json key = {{"weights", run.state().weights_sha256},
              {"on", text_of(request.on)},
              {"windows", request.n_windows},
              {"reference", static_cast<int>(request.reference)},
              {"at", request.at},
              {"regularizers", request.regularizers},
              {"networks", request.seeds},
              {"verdicts", has_verdicts}};
  for (const VariedParameter& parameter : request.vary)
    key["vary"].push_back({parameter.name, parameter.low.value_or(0), parameter.high.value_or(0),
                           parameter.n_points.value_or(0)});
  return sha256(key.dump());
}

// Others find what the first process has made.
ReproduceFolder made_by_first(const ReproduceOptions& options) {
  in_all(options.execution, [&] {
    const ReproduceFolder made(options);
    return std::string();
  });
  return ReproduceFolder(options);
}

}  // namespace

Reproduction::Reproduction(const ReproduceOptions& options)
    : options_(options),
      communicator_(std::exchange(options_.execution.communicator, nullptr)),
      folder_(made_by_first(options)) {
  report_.name = to_string(options.experiment);
  report_.folder = folder_.path();
  report_.seed = options.seed;
  report_.version = version();
  report_.machine = machine_name();
}

std::size_t Reproduction::epochs(std::size_t full, std::size_t quick) const {
  return options_.epochs.value_or(full_or_quick(full, quick));
}

std::size_t Reproduction::trials(std::size_t full, std::size_t quick) const {
  return options_.trials.value_or(full_or_quick(full, quick));
}

std::size_t Reproduction::networks(std::size_t full, std::size_t quick) const {
  return options_.seeds.value_or(full_or_quick(full, quick));
}

void Reproduction::prepare(std::string_view model, const DataOptions& request) {
  begin("data", "sequences");
  in_all({.communicator = communicator_}, [&] {
    folder_.write_model(model);
    DataOptions all = request;
    all.seed = options_.seed;
    all.execution = options_.execution;
    const ReproduceFolder::Source source = folder_.make_data(all, options_);
    report_.data = source.kind;
    if (!source.warning.empty()) warn({source.warning});
    return std::string();
  });
}

Run Reproduction::learn(TrainOptions request) {
  begin("training", "epochs");
  request.folder = folder_.run();
  request.seed = options_.seed;
  request.resume = true;
  request.command = "greybox reproduce " + report_.name;
  request.execution = options_.execution;
  const Model model = Model::read(folder_.model());
  Run run = train(model, model.read_table(folder_.data()), request);
  if (run.outcome() == TrainOutcome::interrupted) throw Interruption(run.message());
  if (run.outcome() == TrainOutcome::diverged) throw std::runtime_error(run.message());
  warn(run.warnings());
  return run;
}

std::vector<LandscapeGrid> Reproduction::map(const Run& run, const std::string& name,
                                             LandscapeOptions request) {
  return kept_or_made(run, name, std::move(request), false).landscape.grids;
}

std::vector<LandscapeGrid> Reproduction::map_and_judge(const Run& run, const std::string& name,
                                                       const std::string& where, LandscapeOptions request) {
  KeptLandscape seen = kept_or_made(run, name, std::move(request), true);
  report_.verdicts.push_back({where, seen.landscape.grids.front().seeds.size(), *std::move(seen.verdicts)});
  return seen.landscape.grids;
}

KeptLandscape Reproduction::kept_or_made(const Run& run, const std::string& name, LandscapeOptions request,
                                         bool has_verdicts) {
  const std::string key = key_of(run, request, has_verdicts);
  if (std::optional<KeptLandscape> kept = read_kept_landscape(folder_.landscape(name), key))
    return *std::move(kept);
  request.execution = options_.execution;
  KeptLandscape seen{.landscape = landscape(run, request)};
  warn(seen.landscape.warnings);
  if (has_verdicts)
    seen.verdicts = judge(run, {.regularizers = request.regularizers,
                                .on = request.on,
                                .n_windows = request.n_windows,
                                .held = request.at,
                                .seeds = request.seeds,
                                .with = request.with,
                                .execution = request.execution});
  keep_landscape(folder_.landscape(name), key, seen);
  return seen;
}

bool Reproduction::begin_comparison(const std::optional<CompareOptions>& request) {
  const bool is_shard = !options_.shard.is_whole(), has_trials = request && request->trials > 0;
  if (is_shard && !has_trials)
    refuse_option("shard", "shards share the trials of the comparison, and there are none",
                  request ? "ask for trials (option `trials`), or leave out option `shard`"
                          : fmt::format("leave out option `shard`: {} has no comparison", report_.name));
  const bool is_helper = !is_first({.communicator = communicator_});
  if (has_trials && (is_shard || communicator_ != nullptr)) {
    CompareOptions shared = *request;
    shared.shard = options_.shard;
    Communicator* const all = std::exchange(communicator_, nullptr);
    options_.execution.communicator = all;
    compare_modes(shared);
    options_.execution.communicator = nullptr;
  }
  return !is_shard && !is_helper;
}

Comparison Reproduction::compare_modes(CompareOptions request) {
  begin("comparison", "trials");
  request.folder = folder_.comparison();
  request.seed = options_.seed;
  request.execution = options_.execution;
  const Model model = Model::read(folder_.model());
  Comparison compared = compare(model, model.read_table(folder_.data()), request);
  if (compared.n_missing > 0) throw Interruption("interrupted between trials");
  warn(compared.warnings);
  return compared;
}

void Reproduction::stop_if_cancelled() const {
  if (options_.execution.is_cancelled()) throw Interruption("interrupted");
}

void Reproduction::begin(const std::string& stage, const std::string& unit) const {
  stop_if_cancelled();
  if (options_.execution.progress) options_.execution.progress({.stage = stage, .unit = unit});
}

void Reproduction::set_settings(std::string text) {
  report_.settings = (options_.quick ? "quick form: " : "") + std::move(text);
}

void Reproduction::find(ComparedNumber finding, const Needs& needs) {
  const bool is_full = !options_.quick && !options_.epochs && options_.size == 0 && options_.grid == 0;
  const bool is_comparable =
      (is_full || !needs.full_length) && (report_.data != kStandIn || !needs.published_data);
  if (!is_comparable) finding = {finding.quantity, finding.ours, finding.theirs};
  report_.findings.push_back(std::move(finding));
}

void Reproduction::warn(const std::vector<std::string>& warnings) {
  report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
}

std::string Reproduction::label() const {
  return fmt::format("Data: {}; {}; seed {}.", report_.data, report_.settings, report_.seed);
}

template <class F>
void Reproduction::show_labelled(const std::string& name, F figure) const {
  figure.notes.push_back(label());
  if (options_.on_figure) options_.on_figure({name, std::move(figure)});
}

void Reproduction::show(const std::string& name, PanelFigure figure) const {
  show_labelled(name, std::move(figure));
}
void Reproduction::show(const std::string& name, SeriesFigure figure) const {
  show_labelled(name, std::move(figure));
}
void Reproduction::show(const std::string& name, FieldFigure figure) const {
  show_labelled(name, std::move(figure));
}
void Reproduction::show(const std::string& name, Comparison figure) const {
  figure.note = label();
  if (options_.on_figure) options_.on_figure({name, std::move(figure)});
}

}  // namespace greybox
