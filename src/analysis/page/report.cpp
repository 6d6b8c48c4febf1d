// The data of a report: what the run holds and what the page needs beside it, as one JSON object.
#include "greybox/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <sstream>

#include "analysis/page/report_parts.hpp"
#include "analysis/run/kept_estimates.hpp"
#include "analysis/verdict/verdict.hpp"
#include "core/kept_text.hpp"
#include "data/npz.hpp"
#include "data/utf8.hpp"
#include "greybox/version.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

// What a page can wait for: seconds, not minutes.
constexpr std::size_t kMostAxes = 4, kWindowsOfManyAxes = 64;
constexpr std::size_t kPointsOfFields = 21, kWindowsOfFields = 4;

constexpr std::size_t kMostCommands = 1000, kMostCommandBytes = std::size_t{1} << 20U;

constexpr const char* kCitation =
    "N. Takeishi and A. Kalousis. Deep grey-box modeling with adaptive data-driven models toward trustworthy "
    "estimation of theory-driven models. AISTATS 2023, PMLR 206.";
constexpr const char* kBibtex =
    R"(@inproceedings{takeishi2023deep,
  title     = {Deep Grey-Box Modeling With Adaptive Data-Driven Models Toward Trustworthy Estimation of Theory-Driven Models},
  author    = {Takeishi, Naoya and Kalousis, Alexandros},
  booktitle = {Proceedings of the 26th International Conference on Artificial Intelligence and Statistics},
  series    = {Proceedings of Machine Learning Research},
  volume    = {206},
  year      = {2023}
})";

Json citation() {
  const std::string own =
      fmt::format("The greybox authors. greybox: trustworthy grey-box modelling, version {}.", version());
  const std::string software = fmt::format(R"(@software{{greybox,
  title   = {{greybox: trustworthy grey-box modelling}},
  author  = {{{{The greybox authors}}}},
  version = {{{}}}
}})",
                                           version());
  return {{"text", fmt::format("{} {}", kCitation, own)},
          {"bibtex", fmt::format("{}\n\n{}", kBibtex, software)}};
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

// More points than a chart has pixels are of no use.
constexpr std::size_t kMostEpochs = 10'000;

std::vector<EpochReport> shown_epochs(const std::vector<EpochReport>& all) {
  const std::size_t every = all.size() / kMostEpochs + 1;
  std::vector<EpochReport> shown;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % every == 0 || i + 1 == all.size()) shown.push_back(all[i]);
  return shown;
}

}  // namespace

Json report_curves(const std::vector<EpochReport>& all) {
  const std::vector<EpochReport> epochs = shown_epochs(all);
  Json curves = Json::object();
  const auto add = [&](const char* name, const auto& value) {
    std::vector<double> values;
    for (const EpochReport& epoch : epochs) values.push_back(value(epoch));
    curves[name] = packed_numbers(values);
  };
  if (epochs.empty()) return curves;
  add("epoch", [](const EpochReport& epoch) { return static_cast<double>(epoch.epoch); });
  add("L", [](const EpochReport& epoch) { return epoch.loss; });
  add("R", [](const EpochReport& epoch) { return epoch.regularizer; });
  add("validation_L", [](const EpochReport& epoch) { return epoch.validation_loss; });
  add("validation_R", [](const EpochReport& epoch) { return epoch.validation_regularizer; });
  add("rate", [](const EpochReport& epoch) { return epoch.rate; });
  add("multiplier", [](const EpochReport& epoch) { return epoch.multiplier; });
  return curves;
}

Json report_training(const OpenedRun& run) {
  Json training{{"curves", report_curves(run.handle.curves())}};
  if (!run.record) return training;
  const Json options = json_of(run.record->options);
  for (const char* name : {"mode", "regularizer", "lambda", "seed", "batch", "rate"})
    training[name] = options.at(name);
  training["epochs"] = run.record->epochs_done;
  training["seconds"] = run.record->seconds;
  return training;
}

namespace {

// What `sample` left: in the folder of the run, or in memory.
Json posterior_of(const OpenedRun& run) {
  const fs::path folder = run.handle.folder();
  if (folder.empty()) return run.handle.state().posterior;
  const fs::path file = folder / "sample" / "posterior.json";
  const std::optional<Json> kept = read_json_file(file);
  if (!kept) return nullptr;
  Json posterior = report_posterior(JsonValue(*kept, file.string()));
  const fs::path draws = folder / "sample" / "posterior.npz";
  if (!fs::exists(draws)) return posterior;
  std::set<std::string> names;
  for (const Json& parameter : posterior["parameters"]) names.insert(parameter.at("name").get<std::string>());
  for (const auto& [name, array] : read_npz(draws))
    if (names.contains(name)) posterior["draws"][name] = packed_numbers(array.to_doubles());
  return posterior;
}

Json ledger_of(const OpenedRun& run) {
  Json ledger = Json::array();
  if (run.record)
    for (const LedgerEntry& entry : run.record->ledger) ledger.push_back(json_of(entry));
  return ledger;
}

// The training's, and those that asked something of the run since: commands.txt has one per line.
std::vector<std::string> commands_of(const OpenedRun& run) {
  std::vector<std::string> commands = {run.record->command};
  std::istringstream lines;
  if (!run.handle.folder().empty())
    lines.str(kept_text(run.handle.folder() / "commands.txt", kMostCommandBytes));
  for (std::string line; commands.size() < kMostCommands && std::getline(lines, line);)
    if (!line.empty() && is_utf8(line) && !has_control_characters(line)) commands.push_back(line);
  std::erase(commands, "");
  return commands;
}

Json provenance_of(const OpenedRun& run) {
  Json provenance{{"version", std::string(version())}, {"weights_sha256", run.handle.state().weights_sha256}};
  if (!run.record) return provenance;
  provenance.update({{"trained_with", run.record->version},
                     {"seed", run.record->options.seed},
                     {"model_sha256", run.record->model.sha256},
                     {"data_sha256", run.record->data.sha256},
                     {"commands", commands_of(run)},
                     {"finished", to_string(run.record->outcome)}});
  return provenance;
}

Json regularizers_of(const ModelSpec& spec, const std::vector<std::string>& more) {
  Json list = Json::array();
  for (const Equation& equation : spec.regularizers)
    list.push_back({{"name", equation.name}, {"expression", equation.text}});
  for (const std::string& expression : more)
    list.push_back({{"name", expression}, {"expression", expression}});
  return list;
}

std::vector<ThetaGrid> grids_for(const OpenedRun& run, const ReportOptions& options) {
  const ModelSpec& spec = *run.loaded.spec;
  GridRequest request{options.vary, options.at, run.record ? run.record->theta : Theta{}, kMostAxes};
  if (request.vary.empty() && spec.grid.is_given)
    for (const ParameterSpec& parameter : spec.parameters)
      if (!request.at.contains(parameter.name))
        request.vary.push_back({parameter.name, {}, {}, kPointsOfFields});
  return make_grids(spec, request);
}

// As many windows as a page can wait for.
std::size_t most_windows(const ModelSpec& spec, const ReportOptions& options, const ThetaGrid& grid) {
  if (options.n_windows > 0) return options.n_windows;
  if (spec.grid.is_given) return kWindowsOfFields;
  return grid.axes.size() > 2 ? kWindowsOfManyAxes : 0;
}

// Where the regularizer of the training, or else the first one, is lowest; empty without any.
ChosenTheta lowest_point(const OpenedRun& run, const Verdicts& verdicts) {
  ChosenTheta chosen;
  const std::vector<Equation>& known = run.loaded.spec->regularizers;
  const bool has_own = run.record && std::any_of(known.begin(), known.end(), [&](const Equation& equation) {
                         return equation.name == run.record->options.regularizer;
                       });
  if (!has_own && known.empty()) return chosen;
  const std::string name = has_own ? run.record->options.regularizer : known.front().name;
  for (const Verdict& verdict : verdicts.verdicts)
    if (verdict.regularizer == name && std::isfinite(verdict.best))
      chosen.theta[verdict.parameter] = verdict.best;
  chosen.why = fmt::format("where {} is lowest", name);
  return chosen;
}

// The θ that predictions are shown at: the last estimate, else the run's own, else what the landscape says.
ChosenTheta chosen_theta(const OpenedRun& run, const KeptEstimates& estimates, const Verdicts& verdicts) {
  if (const auto last = estimates.last_theta())
    return {last->theta, fmt::format("the estimate under {}", last->regularizer)};
  if (run.record && !run.record->theta.empty()) return {run.record->theta, "θ of the training"};
  const ChosenTheta lowest = lowest_point(run, verdicts);
  if (lowest.theta.size() == run.loaded.spec->parameters.size()) return lowest;
  ChosenTheta chosen{{}, "the middle of the prior"};
  const ThetaBox box(run.loaded.spec->parameters);
  for (std::size_t p = 0; p < box.size(); ++p)
    chosen.theta[run.loaded.spec->parameters[p].name] = box.middle()[p];
  return chosen;
}

// The landscapes and verdicts of a page, and what they were computed with.
struct ReportSource {
  OpenedRun run;
  Json grids;
  Verdicts verdicts;
  // Further regularizers than the model's.
  std::vector<std::string> regularizers;
  std::vector<std::string> warnings;
};

// What lies in the folder, unless something else is asked for.
std::optional<ReportSource> kept_source(const Run& handle, const ReportOptions& options) {
  const bool is_asked = !options.vary.empty() || !options.at.empty() || options.n_windows > 0 ||
                        !std::holds_alternative<std::monostate>(options.on);
  if (is_asked) return std::nullopt;
  OpenedRun run = open_run(handle, {{}, options.regularizers});
  const auto landscapes = kept_page(run, PagePart::landscapes), judged = kept_page(run, PagePart::verdicts);
  if (!landscapes || !judged || !(landscapes->key == judged->key)) return std::nullopt;
  std::vector<std::string> regularizers = landscapes->key.regularizers;
  for (const std::string& more : options.regularizers)
    if (std::find(regularizers.begin(), regularizers.end(), more) == regularizers.end()) return std::nullopt;
  auto grids = kept_grids(*landscapes, mean_terms(*run.loaded.spec, regularizers));
  if (!grids) return std::nullopt;
  try {
    Verdicts verdicts = verdicts_from(JsonValue(judged->content, "verdicts.json"));
    std::vector<std::string> warnings = run.warnings;
    return ReportSource{std::move(run), std::move(*grids), std::move(verdicts), std::move(regularizers),
                        std::move(warnings)};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

ReportSource computed_source(const Run& handle, const ReportOptions& options) {
  const ModelSpec& spec = *handle.model().spec();
  const std::vector<std::string> terms = mean_terms(spec, options.regularizers);
  std::vector<std::string> all = options.regularizers;
  all.insert(all.end(), terms.begin(), terms.end());
  const OpenedRun opened = open_run(handle, {{}, options.regularizers});
  std::vector<ThetaGrid> grids = grids_for(opened, options);
  auto [run, choice, has_outputs] = open_target(
      handle, {options.on, {}, most_windows(spec, options, grids.front()), "regularizers", options.seed}, all,
      {Split::validation, Split::train});
  const Networks networks = gather_networks(run, {.seeds = n_trained_networks(run)}, options.execution);
  std::vector<std::string> warnings = run.warnings;
  warnings.insert(warnings.end(), networks.warnings.begin(), networks.warnings.end());
  // The page's means are no candidates to be judged.
  Verdicts verdicts = judge(opened, networks, choice, {.held = options.at, .execution = options.execution});
  Json maps = report_grids(run, networks, {std::move(grids), choice, terms, options.execution});
  return {std::move(run), std::move(maps), std::move(verdicts), options.regularizers, std::move(warnings)};
}

ReportSource source_of(const Run& handle, const ReportOptions& options) {
  if (auto kept = kept_source(handle, options)) return std::move(*kept);
  return computed_source(handle, options);
}

}  // namespace

ReportPage make_report(const Run& handle, const ReportOptions& options) {
  const ReportSource source = source_of(handle, options);
  const OpenedRun& run = source.run;
  ThreadPool pool(options.execution.n_threads);
  const Json judged = json_of(source.verdicts);
  const KeptEstimates estimates(run);
  Json json{{"version", std::string(version())},
            {"made", now()},
            {"title", run.loaded.spec->name},
            {"run", handle.folder().lexically_normal().string()},
            {"model", report_model(run.loaded)},
            {"data", report_data_summary(run.loaded)},
            {"training", report_training(run)},
            {"grids", source.grids},
            {"regularizers", regularizers_of(*run.loaded.spec, source.regularizers)},
            {"summary", judged.at("summary")},
            {"verdicts", judged.at("verdicts")},
            {"combinations", judged.at("combinations")},
            {"estimates", report_estimates(JsonValue(estimates.json(), "estimates.json"))},
            {"predictions", report_predictions(run, chosen_theta(run, estimates, source.verdicts), pool)},
            {"posterior", posterior_of(run)},
            {"ledger", ledger_of(run)},
            {"provenance", provenance_of(run)},
            {"warnings", source.warnings},
            {"cite", citation()}};
  return {json.dump(), source.warnings};
}

}  // namespace greybox
