#include "analysis/verdict/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/theta/theta_box.hpp"
#include "analysis/verdict/verdict_words.hpp"

namespace greybox {
namespace {

// An interval of at most this part of the range counts as narrow: R tells at least three times as much as the
// prior.
constexpr double kNarrow = 1.0 / 3;
// An end of the range that is as near as this, as a part of the range, belongs to the interval.
constexpr double kAtTheEnd = 0.01;

bool is_narrow(const Interval& interval) {
  return width(interval) <= kNarrow;
}

bool have_common_value(const std::vector<Interval>& intervals) {
  Interval common{0, 1};
  for (const Interval& interval : intervals)
    common = {std::max(common.first, interval.first), std::min(common.second, interval.second)};
  return common.first <= common.second;
}

bool exclude(const Verdict& one, const Verdict& other) {
  return one.interval.second < other.interval.first || other.interval.second < one.interval.first;
}

class Judge {
 public:
  Judge(const OpenedRun& run, const ThetaCloud& cloud, const CloudOptions& options)
      : run_(run), cloud_(cloud), held_(options.held) {
    const ThetaBox box(run.loaded.spec->parameters);
    for (std::size_t p : cloud.parameters) {
      names_.push_back(run.loaded.spec->parameters[p].name);
      ranges_.emplace_back(box.likely_low()[p], box.likely_high()[p]);
    }
  }

  Verdicts judge() {
    for (std::size_t r = 0; r < run_.loaded.model->regularizers.size(); ++r) judge(r);
    for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) compare(axis);
    return std::move(report_);
  }

 private:
  void judge(std::size_t regularizer) {
    const std::string& name = run_.loaded.model->regularizers[regularizer].name;
    if (!has_values(cloud_, regularizer)) {
      for (const std::string& parameter : names_) report_.verdicts.push_back(without_values(parameter, name));
      return;
    }
    const SublevelSet set = find_sublevel_set(cloud_, regularizer);
    std::vector<ParameterReading> readings;
    std::vector<Finding> findings;
    for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) {
      readings.push_back(read_parameter(cloud_, set, axis));
      findings.push_back(finding_of(readings.back()));
    }
    const std::vector<Tie> ties = find_ties(cloud_, set, open_axes(findings), ranges_);
    for (const Tie& tie : ties) {
      report_.combinations.push_back(combination(tie, name));
      // What looks one-sided is then the other parameter's bound, seen along the valley.
      for (std::size_t axis : tie.axes) findings[axis] = Finding::flat;
    }
    const bool has_several = std::count(findings.begin(), findings.end(), Finding::several_minima) > 0;
    for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) {
      report_.verdicts.push_back(verdict(axis, name, readings[axis], findings[axis], ties));
      if (has_several && findings[axis] == Finding::identifiable)
        report_.verdicts.back().evidence.push_back(
            fmt::format("{} has several minima, but they agree about {}", name, names_[axis]));
    }
  }

  static std::vector<std::size_t> open_axes(const std::vector<Finding>& findings) {
    std::vector<std::size_t> open;
    for (std::size_t axis = 0; axis < findings.size(); ++axis)
      if (findings[axis] == Finding::flat || findings[axis] == Finding::one_sided) open.push_back(axis);
    return open;
  }

  FlatCombination combination(const Tie& tie, const std::string& regularizer) const {
    FlatCombination combination{regularizer, tie_text(tie, names_), {}, ""};
    for (std::size_t k = 0; k < tie.axes.size(); ++k)
      combination.direction[names_[tie.axes[k]]] = tie.factors[k];
    combination.sentence = tie_sentence(tie, combination, names_);
    return combination;
  }

  Verdict verdict(std::size_t axis, const std::string& regularizer, const ParameterReading& reading,
                  Finding finding, const std::vector<Tie>& ties) const {
    VerdictFacts facts{names_[axis], regularizer, ranges_[axis], finding, reading, "", cloud_};
    for (const Tie& tie : ties)
      if (facts.tie.empty() && std::find(tie.axes.begin(), tie.axes.end(), axis) != tie.axes.end())
        facts.tie = tie_text(tie, names_);
    Verdict verdict;
    verdict.parameter = facts.parameter;
    verdict.regularizer = regularizer;
    verdict.finding = finding;
    verdict.sentence = sentence_of(facts);
    verdict.evidence = evidence_of(facts);
    for (const auto& [held, value] : held_)
      verdict.evidence.push_back(fmt::format("{} was held at {:.6g}", held, value));
    verdict.best = facts.in_units(reading.best);
    verdict.interval = {facts.in_units(reading.interval.first), facts.in_units(reading.interval.second)};
    for (std::size_t bin = 0; bin < cloud_.n_bins; ++bin)
      verdict.profile.theta.push_back(facts.in_units(cloud_.bin_middle(bin)));
    verdict.profile.lowest = reading.lowest;
    verdict.profile.low = reading.low;
    verdict.profile.high = reading.high;
    return verdict;
  }

  // Regularizers that each determine the parameter but leave no common value.
  void compare(std::size_t axis) {
    std::vector<const Verdict*> sure;
    for (const Verdict& verdict : report_.verdicts)
      if (verdict.parameter == names_[axis] && verdict.finding == Finding::identifiable)
        sure.push_back(&verdict);
    std::vector<const Verdict*> disputed;
    for (const Verdict* one : sure)
      if (std::any_of(sure.begin(), sure.end(), [&](const Verdict* other) { return exclude(*one, *other); }))
        disputed.push_back(one);
    if (!disputed.empty()) report_.verdicts.push_back(disagreement(names_[axis], disputed));
  }

  const OpenedRun& run_;
  const ThetaCloud& cloud_;
  const std::map<std::string, double>& held_;
  std::vector<std::string> names_;
  Ranges ranges_;
  Verdicts report_;
};

}  // namespace

Finding finding_of(const ParameterReading& reading) {
  if (reading.poor_share > kNarrow || reading.is_lower_where_poor) return Finding::not_adapted;
  if (reading.groups.size() > 1 && std::all_of(reading.groups.begin(), reading.groups.end(), is_narrow))
    return Finding::several_minima;
  if (is_narrow(reading.interval)) {
    const bool is_inside = reading.interval.first > kAtTheEnd && reading.interval.second < 1 - kAtTheEnd;
    return is_inside ? Finding::identifiable : Finding::one_sided;
  }
  const auto n_narrow = std::count_if(reading.of_networks.begin(), reading.of_networks.end(), is_narrow);
  const bool is_each_narrow = 2 * static_cast<std::size_t>(n_narrow) > reading.of_networks.size();
  return is_each_narrow && !have_common_value(reading.of_networks) ? Finding::unstable : Finding::flat;
}

Verdicts judge(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const CloudOptions& options) {
  const ThetaCloud cloud = make_cloud(run, networks, choice, options);
  Verdicts verdicts = Judge(run, cloud, options).judge();
  verdicts.split = choice.description.empty() ? choice.name : choice.description;
  verdicts.n_windows = cloud.n_windows;
  verdicts.n_networks = networks.size();
  return verdicts;
}

Verdicts judge(const Run& handle, const JudgeOptions& options) {
  const auto [run, choice, has_outputs] =
      open_target(handle, {options.on, options.data, options.n_windows}, options.regularizers,
                  {Split::validation, Split::train});
  const Networks networks = gather_networks(run, {options.seeds, options.with}, options.execution);
  Verdicts verdicts = judge(run, networks, choice,
                            {.held = options.held,
                             .n_resamples = options.n_resamples,
                             .seed = options.seed,
                             .execution = options.execution});
  verdicts.warnings = run.warnings;
  verdicts.warnings.insert(verdicts.warnings.end(), networks.warnings.begin(), networks.warnings.end());
  return verdicts;
}

}  // namespace greybox
