// The data of `greybox report`: what the run folder holds and what the page needs beside it, as one JSON
// object.
#include "greybox/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "analysis/page/report_parts.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/verdict/verdict.hpp"
#include "core/checksum.hpp"
#include "data/npz.hpp"
#include "greybox/version.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

// What a page can wait for: seconds, not minutes.
constexpr std::size_t kMostAxes = 4, kWindowsOfManyAxes = 64;
constexpr std::size_t kPointsOfFields = 21, kWindowsOfFields = 4;

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

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

// A file that an analysis left; null when there is none.
Json read_json(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) return nullptr;
  try {
    return Json::parse(stream);
  } catch (const Json::exception& error) {
    throw InputError(Diagnostic{.file = file.string(),
                                .message = fmt::format("this is not sound JSON ({})", error.what()),
                                .help = "remove it, and run the command that makes it again"});
  }
}

Json read_curves(const fs::path& file) {
  Json curves = Json::object();
  if (!fs::exists(file)) return curves;
  const DataTable table = read_table(file, {.time_column = "epoch"});
  curves["epoch"] = packed_numbers(table.time);
  for (const Column& column : table.columns) {
    std::vector<double> values;
    for (std::size_t row = 0; row < table.n_rows(); ++row) values.push_back(column.at(row));
    curves[column.name] = packed_numbers(values);
  }
  return curves;
}

Json training_of(const OpenedRun& run) {
  Json training{{"curves", read_curves(run.folder / "curves.csv")}};
  if (!run.info) return training;
  const Json record = read_record(run.folder);
  for (const char* name : {"mode", "regularizer", "lambda", "seed", "batch", "rate"})
    training[name] = record.at("options").at(name);
  training["epochs"] = record.value("epochs_done", Json());
  training["seconds"] = record.value("seconds", Json());
  return training;
}

Json posterior_of(const fs::path& folder) {
  Json posterior = read_json(folder / "posterior.json");
  if (posterior.is_null() || !fs::exists(folder / "posterior.npz")) return posterior;
  for (const auto& [name, array] : read_npz(folder / "posterior.npz"))
    for (const Json& parameter : posterior.at("parameters"))
      if (parameter.at("name") == name) posterior["draws"][name] = packed_numbers(array.to_doubles());
  return posterior;
}

Json ledger_of(const OpenedRun& run) {
  Json ledger = Json::array();
  if (run.info)
    for (const LedgerEntry& entry : run.info->ledger) ledger.push_back(to_json(entry));
  return ledger;
}

Json provenance_of(const OpenedRun& run) {
  Json provenance{{"version", std::string(version())},
                  {"weights_sha256", sha256_of_file(run.folder / "weights.npz")}};
  if (!run.info) return provenance;
  const Json record = read_record(run.folder);
  provenance.update({{"trained_with", run.info->version},
                     {"seed", run.info->seed},
                     {"model_sha256", run.info->model_sha256},
                     {"data_sha256", run.info->data_sha256},
                     {"commands", {record.value("command", "")}},
                     {"finished", record.value("outcome", "")}});
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
  GridRequest request{options.vary, options.at, run.info ? run.info->theta : std::map<std::string, double>{},
                      kMostAxes};
  if (request.vary.empty() && spec.grid.is_given)
    for (const ParameterSpec& parameter : spec.parameters)
      if (!request.at.contains(parameter.name))
        request.vary.push_back({parameter.name, {}, {}, kPointsOfFields});
  return make_grids(spec, request);
}

WindowChoice windows_for(const OpenedRun& run, const ReportOptions& options, const ThetaGrid& grid) {
  std::size_t n_most = options.sample;
  if (n_most == 0 && run.loaded.spec->grid.is_given)
    n_most = kWindowsOfFields;
  else if (n_most == 0 && grid.axes.size() > 2)
    n_most = kWindowsOfManyAxes;
  const std::string split =
      options.split.empty() ? default_split(run, {Split::validation, Split::train}) : options.split;
  return choose_windows(run, split, n_most, "--split");
}

// As many as earlier commands have trained.
NetworkOptions trained_networks(const OpenedRun& run) {
  const auto is_trained = [&](std::size_t k) {
    const std::uint64_t seed = (run.info ? run.info->seed : 0) + k;
    const fs::path folder = run.folder / "seeds" / fmt::format("{}", seed);
    return fs::exists(folder / kRecordName) && read_run(folder).is_finished;
  };
  NetworkOptions networks;
  while (is_trained(networks.n_seeds)) ++networks.n_seeds;
  return networks;
}

// Where the regularizer of the training, or else the first one, is lowest; empty without any.
ChosenTheta lowest_point(const OpenedRun& run, const Verdicts& verdicts) {
  ChosenTheta chosen;
  const std::vector<Equation>& known = run.loaded.spec->regularizers;
  const bool has_own = run.info && std::any_of(known.begin(), known.end(), [&](const Equation& equation) {
                         return equation.name == run.info->regularizer;
                       });
  if (!has_own && known.empty()) return chosen;
  const std::string name = has_own ? run.info->regularizer : known.front().name;
  for (const Verdict& verdict : verdicts.verdicts)
    if (verdict.regularizer == name) chosen.theta[verdict.parameter] = verdict.best;
  chosen.why = fmt::format("where {} is lowest", name);
  return chosen;
}

// The θ that predictions are shown at: the last estimate, else the run's own, else what the landscape says.
ChosenTheta chosen_theta(const OpenedRun& run, const Json& estimates, const Verdicts& verdicts) {
  for (std::size_t k = estimates.size(); k-- > 0;)
    if (const Json& theta = estimates[k].value("theta", Json()); theta.is_object())
      return {theta.get<std::map<std::string, double>>(),
              fmt::format("the estimate under {}", estimates[k].value("regularizer", "a regularizer"))};
  if (run.info && !run.info->theta.empty()) return {run.info->theta, "θ of the training"};
  const ChosenTheta lowest = lowest_point(run, verdicts);
  if (lowest.theta.size() == run.loaded.spec->parameters.size()) return lowest;
  ChosenTheta chosen{{}, "the middle of the prior"};
  const ThetaBox box(run.loaded.spec->parameters);
  for (std::size_t p = 0; p < box.size(); ++p)
    chosen.theta[run.loaded.spec->parameters[p].name] = box.middle()[p];
  return chosen;
}

}  // namespace

ReportData gather_report(const ReportOptions& options) {
  const std::vector<std::string> terms =
      mean_terms(read_model_spec(options.run / "model.toml"), options.regularizers);
  std::vector<std::string> all = options.regularizers;
  all.insert(all.end(), terms.begin(), terms.end());
  const OpenedRun run = open_run(options.run, {}, all);
  const ModelSpec& spec = *run.loaded.spec;
  ReportGridRequest request{grids_for(run, options), {}, terms, options.progress};
  request.windows = windows_for(run, options, request.grids.front());
  const Networks networks = gather_networks(run, trained_networks(run));
  std::vector<std::string> warnings = run.warnings;
  warnings.insert(warnings.end(), networks.warnings.begin(), networks.warnings.end());
  ThreadPool pool(options.n_threads);

  // The page's means are no candidates to be judged.
  const Verdicts verdicts = judge(open_run(options.run, {}, options.regularizers), networks,
                                       request.windows, {.held = options.at, .n_threads = options.n_threads});
  const Json judged = Json::parse(verdicts.json);
  Json estimates = read_json(run.folder / "estimates.json");
  if (estimates.is_null()) estimates = Json::array();
  Json json{{"version", std::string(version())},
            {"made", now()},
            {"title", spec.name},
            {"run", options.run.lexically_normal().string()},
            {"model", report_model(run.loaded)},
            {"data", report_data_summary(run.loaded)},
            {"training", training_of(run)},
            {"grids", report_grids(run, networks, request, pool)},
            {"regularizers", regularizers_of(spec, options.regularizers)},
            {"verdicts", judged.at("verdicts")},
            {"combinations", judged.at("combinations")},
            {"estimates", estimates},
            {"predictions", report_predictions(run, chosen_theta(run, estimates, verdicts), pool)},
            {"posterior", posterior_of(run.folder / "sample")},
            {"ledger", ledger_of(run)},
            {"provenance", provenance_of(run)},
            {"warnings", warnings},
            {"cite", {{"text", kCitation}, {"bibtex", kBibtex}}}};
  return {json.dump(), warnings};
}

}  // namespace greybox
