#include "analysis/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/run/kept_landscapes.hpp"
#include "core/checksum.hpp"
#include "core/machine.hpp"
#include "greybox/error.hpp"
#include "greybox/version.hpp"

namespace greybox {
namespace {

// Says of which network and of which question a landscape is.
std::string key_of(const LandscapeOptions& request) {
  nlohmann::ordered_json key = {{"weights", sha256_of_file(request.run / "weights.npz")},
                                {"split", request.split},
                                {"sample", request.sample},
                                {"window", request.window},
                                {"reference", static_cast<int>(request.reference)},
                                {"at", request.at},
                                {"regularizers", request.regularizers},
                                {"networks", request.networks.n_seeds},
                                {"verdicts", request.verdicts}};
  for (const VariedParameter& parameter : request.vary)
    key["vary"].push_back({parameter.name, parameter.low.value_or(0), parameter.high.value_or(0),
                           parameter.n_points.value_or(0)});
  return sha256(key.dump());
}

}  // namespace

Reproduction::Reproduction(const ReproduceOptions& options) : options_(options), folder_(options) {
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
  folder_.write_model(model);
  DataOptions all = request;
  all.seed = options_.seed;
  all.n_threads = options_.n_threads;
  all.on_progress = [this](std::size_t n_done, std::size_t n_all) { count(n_done, n_all); };
  const ReproduceFolder::Source source = folder_.make_data(all, options_);
  report_.data = source.kind;
  if (!source.warning.empty()) warn({source.warning});
}

TrainReport Reproduction::learn(TrainOptions request) {
  begin("training", "epochs");
  request.model = folder_.model();
  request.run = folder_.run();
  request.data = folder_.data();
  request.seed = options_.seed;
  request.n_threads = options_.n_threads;
  request.resume = true;
  request.command_line = "greybox reproduce " + report_.name;
  request.on_epoch = options_.on_epoch;
  request.cancel = options_.cancel;
  TrainReport trained = train(request);
  if (trained.outcome == TrainOutcome::interrupted) throw Interruption(trained.message);
  if (trained.outcome == TrainOutcome::diverged) throw std::runtime_error(trained.message);
  warn(trained.warnings);
  return trained;
}

std::vector<LandscapeGrid> Reproduction::look(const std::string& name, LandscapeOptions request) {
  request.verdicts = false;
  return kept_or_made(name, std::move(request)).landscapes;
}

std::vector<LandscapeGrid> Reproduction::look_and_judge(const std::string& name, const std::string& where,
                                                    LandscapeOptions request) {
  request.verdicts = true;
  Landscape seen = kept_or_made(name, std::move(request));
  report_.verdicts.push_back({where, seen.grids.front().seeds.size(), std::move(seen.verdicts)});
  return seen.grids;
}

Landscape Reproduction::kept_or_made(const std::string& name, LandscapeOptions request) {
  if (request.run.empty()) request.run = folder_.run();
  const std::string key = key_of(request);
  if (std::optional<Landscape> kept = read_kept_landscapes(folder_.landscape(name), key))
    return *std::move(kept);
  request.n_threads = options_.n_threads;
  request.networks.cancel = options_.cancel;
  std::string stage;
  const auto tell = [&](const char* now, const char* unit, std::size_t n_done, std::size_t n_all) {
    if (stage != now) begin(stage = now, unit);
    count(n_done, n_all);
  };
  request.networks.progress = [&](const NetworkProgress& training) {
    const std::size_t epochs = training.epoch.epochs;
    tell("further networks", "epochs", (training.number - 1) * epochs + training.epoch.epoch,
         training.n_all * epochs);
  };
  request.progress = [&](std::size_t n_done, std::size_t n_all) {
    tell("landscape", "pairs", n_done, n_all);
  };
  request.verdict_progress = [&](std::size_t n_done, std::size_t n_all) {
    tell("verdicts", "pairs", n_done, n_all);
  };
  Landscape seen = landscape(request);
  warn(seen.warnings);
  keep_landscapes(folder_.landscape(name), key, seen);
  return seen;
}

Comparison Reproduction::compare_modes(CompareOptions request) {
  begin("comparison", "trials");
  request.model = folder_.model();
  request.data = folder_.data();
  request.folder = folder_.comparison();
  request.seed = options_.seed;
  request.n_threads = options_.n_threads;
  request.progress = options_.on_count;
  request.cancel = options_.cancel;
  Comparison compared = compare(request);
  if (compared.n_missing > 0) throw Interruption("interrupted between trials");
  warn(compared.warnings);
  return compared;
}

void Reproduction::stop_if_cancelled() const {
  if (options_.cancel != nullptr && *options_.cancel) throw Interruption("interrupted");
}

void Reproduction::begin(const std::string& stage, const std::string& unit) const {
  stop_if_cancelled();
  if (options_.on_stage) options_.on_stage(stage, unit);
}

void Reproduction::count(std::size_t n_done, std::size_t n_all) const {
  stop_if_cancelled();
  if (options_.on_count) options_.on_count(n_done, n_all);
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
