#include "analysis/compare/compare_store.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <sstream>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "train/settings.hpp"

namespace greybox {
namespace {

constexpr std::size_t kThetaColumn = 6;  // after mode, lambda, trial, seed, L, R

constexpr const char* kElsewhere = "give another folder (option `folder`), or remove this one";

std::string header(const std::vector<std::string>& parameters, const std::vector<std::string>& outputs) {
  std::string text = "mode,lambda,trial,seed,L,R";
  for (const std::string& name : parameters) text += fmt::format(",{}", name);
  for (const std::string& name : outputs) text += fmt::format(",{0}.rmse,{0}.nrmse,{0}.r2", name);
  return text + '\n';
}

std::string cell(double value) {
  return std::isnan(value) ? "" : shortest(value);
}

std::string record_of(const TrialKey& key, std::uint64_t seed, const TrialResult& result,
                      std::size_t n_outputs) {
  std::string text = fmt::format("{},{},{},{},{},{}", to_string(key.mode), cell(key.lambda.value_or(kNaN)),
                                 key.trial, seed, cell(result.loss), cell(result.regularizer));
  for (double value : result.theta) text += fmt::format(",{}", cell(value));
  for (std::size_t o = 0; o < n_outputs; ++o) {
    const OutputError error = o < result.outputs.size() ? result.outputs[o] : OutputError{};
    text += fmt::format(",{},{},{}", cell(error.rmse), cell(error.nrmse), cell(error.r2));
  }
  return text + '\n';
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// Nothing stands for a value of a diverged trial.
double value_or_nan(std::string_view text) {
  const Cell parsed = parse_cell(text);
  if (parsed.kind != CellKind::number && parsed.kind != CellKind::missing)
    throw std::invalid_argument(fmt::format("`{}` is not a number", text));
  return parsed.value;
}

double number_of_key(std::string_view text) {
  const double value = value_or_nan(text);
  if (!(value >= 0)) throw std::invalid_argument(fmt::format("`{}` is no λ or trial", text));
  return value;
}

TrialKey key_from(const CsvRecord& record) {
  TrialKey key{.mode = train_mode(std::string(record.fields.at(0))),
               .trial = static_cast<std::size_t>(number_of_key(record.fields.at(2)))};
  if (key.mode != TrainMode::aphynity) key.lambda = number_of_key(record.fields.at(1));
  return key;
}

TrialResult result_from(const CsvRecord& record, std::size_t n_parameters,
                        const std::vector<std::string>& outputs) {
  TrialResult result{value_or_nan(record.fields.at(4)), value_or_nan(record.fields.at(5)), {}, {}};
  for (std::size_t p = 0; p < n_parameters; ++p)
    result.theta.push_back(value_or_nan(record.fields.at(kThetaColumn + p)));
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const auto value = [&](std::size_t k) {
      return value_or_nan(record.fields.at(kThetaColumn + n_parameters + 3 * o + k));
    };
    result.outputs.push_back({outputs[o], value(0), value(1), value(2)});
  }
  return result;
}

// Throws InputError unless everything that is compared is there.
void check_record(const Json& record, const std::filesystem::path& file) {
  const JsonValue json(record, file.string());
  for (const char* what : {"model", "data"}) json.at(what).at("sha256").text();
  json.at("options").names();
}

}  // namespace

CompareStore::CompareStore(std::filesystem::path folder, const ModelSpec& spec, const Json& identity,
                           std::vector<std::string> outputs)
    : folder_(std::move(folder)), outputs_(std::move(outputs)) {
  for (const ParameterSpec& parameter : spec.parameters) parameters_.push_back(parameter.name);
  if (folder_.empty()) return;
  if (std::filesystem::exists(folder_) && !std::filesystem::is_directory(folder_))
    refuse(folder_, "this is a file, and a comparison needs a folder",
           "give another folder (option `folder`)");
  claim(identity);
  if (std::filesystem::exists(trials_file())) read_trials();
  const bool is_new = !std::filesystem::exists(trials_file());
  file_.open(trials_file(), std::ios::binary | std::ios::app);
  if (is_new) append(header(parameters_, outputs_));
}

void CompareStore::claim(const Json& identity) {
  const bool is_known = std::filesystem::exists(record_file());
  if (!is_known)
    for (const char* name : {"trials.csv", "comparison.csv", "comparison.svg", "comparison.png", "run.json"})
      if (std::filesystem::exists(folder_ / name))
        refuse(folder_, fmt::format("the folder holds a file {} that is not of a comparison", name),
               kElsewhere);
  if (is_known) refuse_if_other(identity);
  std::filesystem::create_directories(folder_);
  lock_ = FileLock(folder_ / ".lock");
  if (!is_known) write_file_atomically(record_file(), identity.dump(2) + '\n');
}

void CompareStore::refuse_if_other(const Json& identity) const {
  const Json kept = read_json_file(record_file()).value_or(Json());
  check_record(kept, record_file());
  for (const char* what : {"model", "data"})
    if (kept.at(what).at("sha256") != identity.at(what).at("sha256"))
      refuse(identity.at(what).at("file").get<std::string>(),
             fmt::format("the {} changed since the trials in {} were run", what, folder_.string()),
             "bring back the file as it was to continue, or give another folder (option `folder`)");
  for (const auto& [name, value] : identity.at("options").items())
    if (kept.at("options").value(name, Json()) != value)
      refuse(folder_,
             fmt::format("its trials were run with {} = {}, and now it is {}", name,
                         kept.at("options").value(name, Json()).dump(), value.dump()),
             "ask for the same to continue, or give another folder (option `folder`)");
}

void CompareStore::cut_torn_row() const {
  const std::string text = text_of(trials_file());
  const std::size_t n_whole = text.rfind('\n') + 1;  // 0 when there is no whole line
  if (n_whole > 0 && n_whole == text.size()) return;
  write_file_atomically(trials_file(), n_whole > 0 ? text.substr(0, n_whole) : header(parameters_, outputs_));
}

void CompareStore::read_trials() {
  cut_torn_row();
  CsvReader reader(trials_file());
  CsvRecord record;
  reader.next(record);  // the header
  if (record.fields.size() <= kThetaColumn + parameters_.size()) outputs_.clear();
  while (reader.next(record)) {
    try {
      trials_.insert_or_assign(key_from(record), result_from(record, parameters_.size(), outputs_));
    } catch (const std::exception& error) {
      refuse(trials_file(), fmt::format("line {} is not a trial: {}", record.line, error.what()),
             "remove the line to run its trial again");
    }
  }
}

const TrialResult* CompareStore::find(const TrialKey& key) const {
  const auto found = trials_.find(key);
  return found == trials_.end() ? nullptr : &found->second;
}

void CompareStore::add(const TrialKey& key, std::uint64_t seed, const TrialResult& result) {
  if (!folder_.empty()) append(record_of(key, seed, result, outputs_.size()));
  trials_[key] = result;
}

void CompareStore::append(const std::string& row) {
  file_ << row << std::flush;
  if (!file_)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot write `{}`", trials_file().string()));
}

}  // namespace greybox
