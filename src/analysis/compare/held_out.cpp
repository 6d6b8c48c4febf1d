#include "analysis/compare/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/run/opened_run.hpp"
#include "core/refuse.hpp"
#include "core/thread_pool.hpp"
#include "model/prediction.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

// What tells windows of different models apart: where they are in the data.
using WindowPlace = std::pair<std::string, double>;
using PlacedWindows = std::map<WindowPlace, std::size_t>;

PlacedWindows windows_in(const Run& run, Split split) {
  PlacedWindows placed;
  const std::vector<WindowInfo> windows = run.dataset().windows();
  for (std::size_t w = 0; w < windows.size(); ++w)
    if (windows[w].split == split) placed[{windows[w].series, windows[w].start}] = w;
  return placed;
}

// Windows that all runs have in this split, per run.
std::vector<std::vector<std::size_t>> common_windows(const std::vector<Run>& runs, Split split) {
  std::vector<PlacedWindows> placed;
  for (const Run& run : runs) placed.push_back(windows_in(run, split));
  std::vector<std::vector<std::size_t>> common(runs.size());
  for (const auto& [place, index] : placed.front()) {
    if (!std::ranges::all_of(placed,
                             [&at = place](const PlacedWindows& of_run) { return of_run.contains(at); }))
      continue;
    for (std::size_t k = 0; k < runs.size(); ++k) common[k].push_back(placed[k].at(place));
  }
  return common;
}

std::vector<std::string> common_outputs(const std::vector<Run>& runs) {
  std::vector<std::string> names = runs.front().model().outputs();
  for (const Run& run : runs) {
    const std::vector<std::string> known = run.model().outputs();
    std::erase_if(names,
                  [&](const std::string& name) { return std::ranges::find(known, name) == known.end(); });
  }
  return names;
}

}  // namespace

HeldOut held_out_by_all(const std::vector<Run>& runs) {
  HeldOut held_out;
  held_out.outputs = common_outputs(runs);
  if (held_out.outputs.empty())
    refuse_option("runs", "the theories observe nothing in common", "[observe] must have the same names");
  const bool has_test = !windows_in(runs.front(), Split::test).empty();
  const Split judged = has_test ? Split::test : Split::validation;
  held_out.split = to_string(judged);
  held_out.test = common_windows(runs, judged);
  held_out.calibration = common_windows(runs, has_test ? Split::validation : Split::train);
  if (held_out.calibration.front().empty()) held_out.calibration = common_windows(runs, Split::train);
  if (held_out.test.front().empty() || held_out.calibration.front().empty())
    refuse_option("runs", "there is no window that all theories held out",
                  "give their [data] the same windows and the same split, with a test part");
  for (const Run& run : runs)
    if (const std::size_t n = windows_in(run, judged).size(); n != held_out.test.front().size())
      held_out.warnings.push_back(fmt::format("{} holds out {} windows, of which {} are held out by all",
                                              run.model().name(), n, held_out.test.front().size()));
  return held_out;
}

Prediction predict_windows(const Run& handle, const std::vector<std::size_t>& windows, const Theta& theta,
                           const std::vector<std::string>& regularizers, const Execution& execution) {
  const OpenedRun run = open_run(handle, {{}, regularizers});
  ThreadPool pool(execution.n_threads);
  if (execution.is_cancelled()) throw Interruption("comparison interrupted");
  return make_prediction<double>(run.loaded, {run.weights, windows, theta_from(*run.loaded.spec, theta)},
                                 pool);
}

}  // namespace greybox
