// The paper's experiments, each from data to figures and a table beside the paper's numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "greybox/figure.hpp"
#include "greybox/shard.hpp"
#include "greybox/train.hpp"

namespace greybox {

enum class Experiment : std::uint8_t { toy, pendulum, reaction_diffusion, predator_prey };

std::string to_string(Experiment experiment);

// What is not set is the paper's, or less when `quick`.
struct ReproduceOptions {
  Experiment experiment = Experiment::toy;
  // Empty: reproduce-NAME.
  std::filesystem::path folder{};
  // The story in a minute or two.
  bool quick = false;
  std::uint64_t seed = 0;
  // Of each mode at each λ; 0: no comparison.
  std::optional<std::size_t> trials{};
  // Of every training.
  std::optional<std::size_t> epochs{};
  // Networks behind a landscape, including the run's own.
  std::optional<std::size_t> seeds{};
  // Sequences and points per side of reaction–diffusion; 0: the paper's.
  std::size_t size = 0, grid = 0;
  // The published data: a file, or the folder that holds them.
  std::filesystem::path data{};
  // A simulated stand-in instead of the published data.
  bool is_simulated = false;
  // Runs its trials of the comparison alone, and keeps them in FOLDER/shards; `merge_shards` joins them.
  Shard shard{};
  // Called as soon as a figure is known, so that it may be kept.
  std::function<void(const Figure&)> on_figure{};
  // Once cancelled, the work ends and can be continued.
  Execution execution{};
};

// One number beside what is known of it.
struct ComparedNumber {
  std::string quantity;
  double ours = std::numeric_limits<double>::quiet_NaN();
  // The paper's, or its authors'; empty: not known.
  std::string theirs;
  // Ours agrees when it is within these; infinite on both sides: it is not judged.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

inline bool is_judged(const ComparedNumber& finding) {
  return finding.low > -std::numeric_limits<double>::infinity() ||
         finding.high < std::numeric_limits<double>::infinity();
}
inline bool agrees(const ComparedNumber& finding) {
  return finding.ours >= finding.low && finding.ours <= finding.high;
}

// Which parameters can be trusted, over several networks.
struct ReproducedVerdicts {
  // The data that were judged on.
  std::string where;
  std::size_t n_networks = 1;
  Verdicts verdicts;
};

struct ReproduceReport {
  // Of the experiment.
  std::string name;
  std::filesystem::path folder;
  // Where the data come from, in a few words.
  std::string data;
  // Epochs and the like, in a few words.
  std::string settings;
  std::uint64_t seed = 0;
  std::string version, machine;
  std::vector<ComparedNumber> findings;
  std::vector<ReproducedVerdicts> verdicts;
  std::vector<std::string> warnings;
  // The same call continues.
  bool is_interrupted = false;
};

// Keeps data, trainings, trials and landscapes in its folder; called again, it continues where it stopped.
// Throws InputError for the user's mistakes (also: a folder of another reproduction) and std::runtime_error
// when a training diverges or the disk refuses.
ReproduceReport reproduce(const ReproduceOptions& options);

std::string to_json(const ReproduceReport& report);

// Writes table.csv, verdicts.csv where there are any, and summary.md into the report's folder; `figures` are
// those that the summary shows.
std::vector<std::filesystem::path> write_reproduction(const ReproduceReport& report,
                                                      const std::vector<std::filesystem::path>& figures);

}  // namespace greybox
