#include "analysis/compare/compare_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "data/csv_reader.hpp"
#include "data/mistakes.hpp"
#include "data/number.hpp"
#include "train/settings.hpp"

namespace greybox {
namespace {

constexpr std::size_t kThetaColumn = 6;  // after mode, lambda, trial, seed, L, R
constexpr std::size_t kErrorsPerOutput = 3;
// Whole numbers up to here are exact.
constexpr double kMostExact = 0x1p53;
// A row is shorter.
constexpr std::size_t kTailBytes = std::size_t{1} << 20U;

constexpr const char* kElsewhere = "give another folder (option `folder`), or remove this one";

std::string header(const std::vector<std::string>& parameters, const std::vector<std::string>& outputs,
                   bool has_likelihood) {
  std::string text = "mode,lambda,trial,seed,L,R";
  for (const std::string& name : parameters) text += fmt::format(",{}", name);
  for (const std::string& name : outputs) text += fmt::format(",{0}.rmse,{0}.nrmse,{0}.r2", name);
  if (has_likelihood) text += ",log_likelihood";
  return text + '\n';
}

std::string cell(double value) {
  return std::isnan(value) ? "" : shortest(value);
}

std::string record_of(const TrialKey& key, std::uint64_t seed, const TrialResult& result,
                      std::size_t n_outputs, bool has_likelihood) {
  std::string text = fmt::format("{},{},{},{},{},{}", to_string(key.mode), cell(key.lambda.value_or(kNaN)),
                                 key.trial, seed, cell(result.loss), cell(result.regularizer));
  for (double value : result.theta) text += fmt::format(",{}", cell(value));
  for (std::size_t o = 0; o < n_outputs; ++o) {
    const OutputError error = o < result.outputs.size() ? result.outputs[o] : OutputError{};
    text += fmt::format(",{},{},{}", cell(error.rmse), cell(error.nrmse), cell(error.r2));
  }
  if (has_likelihood) text += fmt::format(",{}", cell(result.log_likelihood));
  return text + '\n';
}

// A row of trials.csv; its functions throw InputError.
class TrialRow {
 public:
  TrialRow(const CsvRecord& record, const std::filesystem::path& file, std::size_t n_parameters,
           const std::vector<std::string>& outputs, bool has_likelihood)
      : record_(record),
        file_(file),
        n_parameters_(n_parameters),
        outputs_(outputs),
        has_likelihood_(has_likelihood) {
    const std::size_t n_cells =
        kThetaColumn + n_parameters + kErrorsPerOutput * outputs.size() + (has_likelihood ? 1 : 0);
    if (record.fields.size() != n_cells)
      refuse_row(fmt::format("it has {} cells, and a trial has {}", record.fields.size(), n_cells));
  }

  TrialKey key() const {
    TrialKey key{.mode = mode(), .trial = static_cast<std::size_t>(at_least_zero(2))};
    if (key.mode != TrainMode::aphynity) key.lambda = at_least_zero(1);
    return key;
  }

  TrialResult result() const {
    TrialResult result{value(4), value(5), {}, {}};
    for (std::size_t p = 0; p < n_parameters_; ++p) result.theta.push_back(value(kThetaColumn + p));
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const std::size_t first = kThetaColumn + n_parameters_ + kErrorsPerOutput * o;
      result.outputs.push_back({outputs_[o], value(first), value(first + 1), value(first + 2)});
    }
    if (has_likelihood_) result.log_likelihood = value(record_.fields.size() - 1);
    return result;
  }

 private:
  [[noreturn]] void refuse_row(const std::string& why) const {
    refuse(file_, fmt::format("line {} is not a trial: {}", record_.line, why),
           "remove the line to run its trial again");
  }

  // Nothing stands for a value of a diverged trial.
  double value(std::size_t column) const {
    const Cell parsed = parse_cell(record_.fields[column]);
    if (parsed.kind != CellKind::number && parsed.kind != CellKind::missing)
      refuse_row(fmt::format("{} is not a number", in_backquotes(record_.fields[column])));
    return parsed.value;
  }

  double at_least_zero(std::size_t column) const {
    const double number = value(column);
    if (!(number >= 0 && number <= kMostExact))
      refuse_row(fmt::format("{} is no λ or trial", in_backquotes(record_.fields[column])));
    return number;
  }

  TrainMode mode() const {
    try {
      return train_mode(std::string(record_.fields[0]));
    } catch (const InputError&) {
      refuse_row(fmt::format("there is no mode {}", in_backquotes(record_.fields[0])));
    }
  }

  const CsvRecord& record_;
  const std::filesystem::path& file_;
  std::size_t n_parameters_;
  const std::vector<std::string>& outputs_;
  bool has_likelihood_;
};

// Throws InputError unless everything that is compared is there.
void check_record(const Json& record, const std::filesystem::path& file) {
  const JsonValue json(record, file.string());
  for (const char* what : {"model", "data"}) json.at(what).at("sha256").text();
  json.at("options").names();
}

}  // namespace

CompareStore::CompareStore(std::filesystem::path folder, const ModelSpec& spec, const Json& identity,
                           std::vector<std::string> outputs, bool has_likelihood)
    : folder_(std::move(folder)), outputs_(std::move(outputs)), has_likelihood_(has_likelihood) {
  for (const ParameterSpec& parameter : spec.parameters) parameters_.push_back(parameter.name);
  if (folder_.empty()) return;
  if (std::filesystem::exists(folder_) && !std::filesystem::is_directory(folder_))
    refuse(folder_, "this is a file, and a comparison needs a folder",
           "give another folder (option `folder`)");
  claim(identity);
  file_ = open_to_append(trials_file());
  cut_torn_row();
  read_trials();
}

void CompareStore::claim(const Json& identity) {
  const bool is_known = std::filesystem::exists(record_file());
  if (!is_known)
    for (const char* name :
         {"trials.csv", "comparison.csv", "comparison.svg", "comparison.png", "folds.csv", "run.json"})
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

// Leaves the header at least.
void CompareStore::cut_torn_row() const {
  const auto size = static_cast<std::size_t>(::lseek(file_.number(), 0, SEEK_END));
  const std::size_t begin = size - std::min(size, kTailBytes);
  std::string tail(size - begin, '\0');
  const ssize_t n = ::pread(file_.number(), tail.data(), tail.size(), static_cast<off_t>(begin));
  tail.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  const std::size_t last_end = tail.rfind('\n');
  const std::size_t n_whole = last_end == tail.npos ? 0 : begin + last_end + 1;
  if (n_whole != size && ::ftruncate(file_.number(), static_cast<off_t>(n_whole)) != 0)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot write `{}`", trials_file().string()));
  if (n_whole == 0) file_.write(header(parameters_, outputs_, has_likelihood_));
}

void CompareStore::read_trials() {
  const std::filesystem::path file = trials_file();
  CsvReader reader(file);
  CsvRecord record;
  reader.next(record);  // the header
  if (record.fields.size() <= kThetaColumn + parameters_.size()) outputs_.clear();
  while (reader.next(record)) {
    const TrialRow row(record, file, parameters_.size(), outputs_, has_likelihood_);
    trials_.insert_or_assign(row.key(), row.result());
  }
}

const TrialResult* CompareStore::find(const TrialKey& key) const {
  const auto found = trials_.find(key);
  return found == trials_.end() ? nullptr : &found->second;
}

void CompareStore::add(const TrialKey& key, std::uint64_t seed, const TrialResult& result) {
  if (!folder_.empty()) file_.write(record_of(key, seed, result, outputs_.size(), has_likelihood_));
  trials_[key] = result;
}

}  // namespace greybox
