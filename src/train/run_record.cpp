#include "train/run_record.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/atomic_file.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "model/scales_json.hpp"
#include "train/recipe_record.hpp"
#include "train/run_folder.hpp"

namespace greybox {
namespace {

constexpr std::array kModes = {"adaptive", "inductive", "transductive", "refit", "aphynity", "tailored"};
constexpr std::array kRecipes = {"paper", "auto"};
constexpr std::array kOutcomes = {"running", "finished", "stopped early", "interrupted", "diverged"};
// JSON has no infinity.
constexpr const char* kInfinite = "inf";

Json finite_or_word(double value) {
  return std::isfinite(value) ? Json(value) : Json(kInfinite);
}

double number_or_infinity(const JsonValue& json) {
  return json.json().is_string() && json.text() == kInfinite ? kInfinity : json.number();
}

std::pair<double, double> pair_from(const JsonValue& json) {
  const std::vector<double> values = json.numbers();
  if (values.size() != 2) json.refuse("a pair of numbers");
  return {values[0], values[1]};
}

template <class Names>
std::size_t index_of(const Names& names, const JsonValue& json) {
  const std::string name = json.text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return i;
  json.refuse(fmt::format("known (`{}`)", name));
}

const char* precision_name(bool is_single) {
  return is_single ? "float" : "double";
}

bool is_single_precision(const JsonValue& json) {
  const std::string name = json.text();
  if (name != precision_name(true) && name != precision_name(false)) json.refuse("float or double");
  return name == precision_name(true);
}

RecordedOptions options_from(const JsonValue& json) {
  RecordedOptions options;
  options.mode = static_cast<TrainMode>(index_of(kModes, json.at("mode")));
  options.regularizer = json.at("regularizer").text();
  options.lambda = json.at("lambda").number();
  options.epochs = json.at("epochs").count();
  options.batch = json.at("batch").count();
  options.draws = json.at("draws").count();
  if (const auto recipe = json.find("recipe"))
    options.recipe = static_cast<Recipe>(index_of(kRecipes, *recipe));
  options.rate = pair_from(json.at("rate"));
  options.weight_decay = json.at("weight_decay").number();
  options.clip_value = number_or_infinity(json.at("clip_value"));
  options.clip_norm = number_or_infinity(json.at("clip_norm"));
  options.validate_every = json.at("validate_every").count();
  options.patience = json.at("patience").count();
  options.keep_best = json.at("keep_best").boolean();
  options.single_precision = is_single_precision(json.at("precision"));
  options.seed = json.at("seed").whole_number();
  options.theta = json.at("theta").numbers_by_name();
  if (const auto aphynity = json.find("aphynity"))
    options.aphynity = {aphynity->at("lambda0").number(), aphynity->at("tau").number(),
                        aphynity->at("every").count()};
  if (const auto tailored = json.find("tailored"))
    options.tailored = {tailored->at("steps").count(), tailored->at("rate").number(),
                        tailored->at("second_order").boolean()};
  return options;
}

AmortisedRecord amortised_from(const JsonValue& json) {
  return {.regularizer = json.at("regularizer").text(),
          .epochs = json.at("epochs").count(),
          .batch = json.at("batch").count(),
          .rate = pair_from(json.at("rate")),
          .seed = json.at("seed").whole_number(),
          .single_precision = is_single_precision(json.at("precision")),
          .from = json.at("from").text()};
}

AugmentedRecord augmented_from(const JsonValue& json) {
  AugmentedRecord record{.from = json.at("run").text(),
                         .windows = json.at("windows").count(),
                         .epochs = json.at("epochs").count(),
                         .seed = json.at("seed").whole_number(),
                         .theta = {},
                         .at = json.at("at").numbers_by_name()};
  const JsonValue theta = json.at("theta");
  for (const std::string& name : theta.names()) record.theta[name] = pair_from(theta.at(name));
  return record;
}

FitJudgement fit_from(const JsonValue& json) {
  FitJudgement fit;
  const std::string word = json.at("word").text();
  for (FitWord known : {FitWord::fits, FitWord::partly, FitWord::does_not_fit})
    if (name_of(known) == word) fit.word = known;
  if (name_of(fit.word) != word) json.at("word").refuse("fits, fits partly or does not fit");
  fit.sentence = json.at("sentence").text();
  fit.share = json.at("share").number();
  fit.loss_limit = json.at("loss_limit").number();
  fit.split = json.at("split").text();
  fit.n_windows = json.at("windows").count();
  for (const JsonValue& output : json.at("outputs").elements())
    fit.outputs.push_back({output.at("name").text(), output.at("rmse").number(), output.at("nrmse").number(),
                           output.at("r2").number(), output.at("theory_rmse").number(),
                           output.at("guess_rmse").number(),
                           output.find("refit_rmse") ? output.at("refit_rmse").number() : kNaN,
                           output.find("noise_rmse") ? output.at("noise_rmse").number() : kNaN,
                           output.find("noise_is_known") && output.at("noise_is_known").boolean()});
  return fit;
}

// What is known once a training has ended or was interrupted.
void read_result(const JsonValue& json, RunRecord& record) {
  if (const auto epochs = json.find("epochs_done")) record.epochs_done = epochs->count();
  if (const auto seconds = json.find("seconds")) record.seconds = seconds->number();
  if (const auto loss = json.find("L")) record.loss = loss->number();
  if (const auto regularizer = json.find("R")) record.regularizer = regularizer->number();
  if (const auto recipe = json.find("recipe")) record.recipe = recipe_from(*recipe);
  if (const auto multiplier = json.find("multiplier")) record.multiplier = multiplier->number();
  if (const auto theta = json.find("theta")) record.theta = theta->numbers_by_name();
  if (const auto priors = json.find("priors"))
    for (const std::string& name : priors->names()) record.priors[name] = priors->at(name).numbers_by_name();
  if (const auto fit = json.find("fit")) record.fit = fit_from(*fit);
  if (const auto amortised = json.find("amortised")) record.amortised = amortised_from(*amortised);
  if (const auto augmented = json.find("augmented")) record.augmented = augmented_from(*augmented);
}

RunRecord record_from(const JsonValue& json) {
  RunRecord record;
  record.name = json.at("name").text();
  record.version = json.at("version").text();
  if (const auto versions = json.find("versions")) record.compiler = versions->at("compiler").text();
  if (const auto command = json.find("command")) record.command = command->text();
  if (const auto started = json.find("started")) record.started = started->text();
  record.options = options_from(json.at("options"));
  record.model = {json.at("model").at("file").text(), json.at("model").at("sha256").text()};
  record.data = {json.at("data").at("file").text(), json.at("data").at("sha256").text()};
  if (const auto inputs = json.find("inputs"))
    for (const std::string& name : inputs->names())
      record.inputs[name] = {inputs->at(name).at("file").text(), inputs->at(name).at("sha256").text()};
  if (const auto scales = json.find("scales")) record.scales = scales_from(*scales);
  if (const auto method = json.find("method")) record.method = method->text();
  record.outcome = static_cast<TrainOutcome>(index_of(kOutcomes, json.at("outcome")));
  if (!json.at("finished").boolean() && record.is_finished()) record.outcome = TrainOutcome::running;
  read_result(json, record);
  for (const JsonValue& entry : json.at("ledger").elements())
    record.ledger.push_back({entry.at("command").text(), entry.at("split").text(), entry.at("purpose").text(),
                             entry.at("regularizer").text()});
  return record;
}

void add_result(const RunRecord& record, Json& json) {
  if (record.outcome != TrainOutcome::running) {
    json["epochs_done"] = record.epochs_done;
    json["seconds"] = record.seconds;
    json["L"] = record.loss;
    json["R"] = record.regularizer;
    if (record.options.mode == TrainMode::aphynity) json["multiplier"] = record.multiplier;
    json["theta"] = record.theta;
  }
  if (record.recipe) json["recipe"] = json_of(*record.recipe);
  if (!record.priors.empty()) json["priors"] = record.priors;
  if (record.fit) json["fit"] = json_of(*record.fit);
  if (const auto& amortised = record.amortised)
    json["amortised"] = {{"regularizer", amortised->regularizer},
                         {"epochs", amortised->epochs},
                         {"batch", amortised->batch},
                         {"rate", {amortised->rate.first, amortised->rate.second}},
                         {"seed", amortised->seed},
                         {"precision", precision_name(amortised->single_precision)},
                         {"from", amortised->from}};
  if (const auto& augmented = record.augmented) {
    Json one{{"run", augmented->from},
             {"windows", augmented->windows},
             {"epochs", augmented->epochs},
             {"seed", augmented->seed}};
    for (const auto& [name, range] : augmented->theta) one["theta"][name] = {range.first, range.second};
    one["at"] = augmented->at;
    json["augmented"] = one;
  }
}

}  // namespace

std::string to_string(TrainMode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

std::string to_string(Recipe recipe) {
  return kRecipes[static_cast<std::size_t>(recipe)];
}

TrainMode train_mode(const std::string& name) {
  for (std::size_t i = 0; i < kModes.size(); ++i)
    if (name == kModes[i]) return static_cast<TrainMode>(i);
  refuse_option("mode", fmt::format("there is no mode `{}`", name),
                "the modes are adaptive, inductive, transductive, aphynity and tailored");
}

std::string to_string(TrainOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

Json json_of(const LedgerEntry& entry) {
  return {{"command", entry.command},
          {"split", entry.split},
          {"purpose", entry.purpose},
          {"regularizer", entry.regularizer}};
}

Json json_of(const FitJudgement& fit) {
  Json outputs = Json::array();
  for (const OutputFit& output : fit.outputs) {
    outputs.push_back({{"name", output.name},
                       {"rmse", output.rmse},
                       {"nrmse", output.nrmse},
                       {"r2", output.r2},
                       {"theory_rmse", output.theory_rmse},
                       {"guess_rmse", output.guess_rmse},
                       {"refit_rmse", output.refit_rmse}});
    if (std::isnan(output.noise_rmse)) continue;
    outputs.back()["noise_rmse"] = output.noise_rmse;
    outputs.back()["noise_is_known"] = output.noise_is_known;
  }
  return {{"word", name_of(fit.word)}, {"sentence", fit.sentence},
          {"share", fit.share},        {"loss_limit", fit.loss_limit},
          {"split", fit.split},        {"windows", fit.n_windows},
          {"outputs", outputs}};
}

Json json_of(const RecordedOptions& options) {
  Json json{{"mode", to_string(options.mode)},
            {"regularizer", options.regularizer},
            {"lambda", options.lambda},
            {"epochs", options.epochs},
            {"batch", options.batch},
            {"draws", options.draws},
            {"rate", {options.rate.first, options.rate.second}},
            {"weight_decay", options.weight_decay},
            {"clip_value", finite_or_word(options.clip_value)},
            {"clip_norm", finite_or_word(options.clip_norm)},
            {"validate_every", options.validate_every},
            {"patience", options.patience},
            {"keep_best", options.keep_best},
            {"precision", precision_name(options.single_precision)},
            {"seed", options.seed},
            {"theta", options.theta}};
  // Records of the paper's recipe are as they were before there was another.
  if (options.recipe != Recipe::paper) json["recipe"] = to_string(options.recipe);
  if (options.aphynity)
    json["aphynity"] = {{"lambda0", options.aphynity->lambda0},
                        {"tau", options.aphynity->tau},
                        {"every", options.aphynity->every}};
  if (options.tailored)
    json["tailored"] = {{"steps", options.tailored->steps},
                        {"rate", options.tailored->rate},
                        {"second_order", options.tailored->second_order}};
  return json;
}

Json json_of(const RunRecord& record) {
  Json json{{"name", record.name},
            {"version", record.version},
            {"versions", {{"greybox", record.version}, {"compiler", record.compiler}}},
            {"command", record.command},
            {"started", record.started},
            {"options", json_of(record.options)},
            {"model", {{"file", record.model.file}, {"sha256", record.model.sha256}}},
            {"data", {{"file", record.data.file}, {"sha256", record.data.sha256}}},
            {"finished", record.is_finished()},
            {"outcome", to_string(record.outcome)},
            {"ledger", Json::array()}};
  for (const auto& [name, input] : record.inputs)
    json["inputs"][name] = {{"file", input.file}, {"sha256", input.sha256}};
  if (record.scales != Scales{}) json["scales"] = json_of(record.scales);
  if (!record.method.empty()) json["method"] = record.method;
  for (const LedgerEntry& entry : record.ledger) json["ledger"].push_back(json_of(entry));
  add_result(record, json);
  return json;
}

std::string to_json(const RunRecord& record) {
  return json_of(record).dump();
}

bool has_record(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kRecordName);
}

RunRecord read_record(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kRecordName;
  const std::optional<Json> json = read_json_file(file);
  if (!json) refuse(file, "there is no such file", "give a folder that a training made");
  return record_from(JsonValue(*json, file.string()));
}

void write_record(const std::filesystem::path& folder, const RunRecord& record) {
  write_file_atomically(folder / kRecordName, json_of(record).dump(2) + '\n');
}

}  // namespace greybox
