// The finished trials of a comparison, kept in its folder, or in memory, as they finish.
#pragma once

#include <filesystem>
#include <map>

#include "analysis/compare/compare_trial.hpp"
#include "core/descriptor.hpp"
#include "train/run_folder.hpp"
#include "train/run_record.hpp"

namespace greybox {

// FOLDER/compare.json says what the trials are of, FOLDER/trials.csv has one row per finished trial. A row is
// written in one piece, and one that a killed process left unfinished is cut off.
class CompareStore {
 public:
  // Opens a folder, or makes it; without a folder, trials stay in memory. `identity` holds the checksums of
  // model and data and the options; throws InputError when the folder's trials have another one, or when its
  // files are not those of a comparison.
  // `outputs` are the observed variables. Trials over folds have a likelihood.
  CompareStore(std::filesystem::path folder, const ModelSpec& spec, const Json& identity,
               std::vector<std::string> outputs = {}, bool has_likelihood = false);

  const std::filesystem::path& folder() const { return folder_; }
  std::size_t size() const { return trials_.size(); }
  const TrialResult* find(const TrialKey& key) const;
  void add(const TrialKey& key, std::uint64_t seed, const TrialResult& result);

 private:
  std::filesystem::path record_file() const { return folder_ / "compare.json"; }
  std::filesystem::path trials_file() const { return folder_ / "trials.csv"; }
  void claim(const Json& identity);
  void refuse_if_other(const Json& identity) const;
  void cut_torn_row() const;
  void read_trials();

  std::filesystem::path folder_;
  std::vector<std::string> parameters_;
  // None for a file of an earlier version, which has no columns for them.
  std::vector<std::string> outputs_;
  bool has_likelihood_;
  FileLock lock_;
  std::map<TrialKey, TrialResult> trials_;
  Descriptor file_;
};

}  // namespace greybox
