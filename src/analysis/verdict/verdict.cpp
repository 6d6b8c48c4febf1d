#include "analysis/verdict/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/run/kept_page.hpp"
#include "analysis/verdict/admission.hpp"
#include "analysis/verdict/reading_source.hpp"
#include "analysis/verdict/verdict_summary.hpp"
#include "analysis/verdict/verdict_words.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

// An end of the range that is as near as this, as a part of the range, belongs to the interval.
constexpr double kAtTheEnd = 0.01;

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
  Judge(const OpenedRun& run, ReadingSource& source, const Basis& basis, const Theta& held)
      : run_(run),
        source_(source),
        basis_(basis),
        held_(held),
        coordinates_(run.loaded.spec->parameters),
        varied_{coordinates_, source.parameters()} {
    for (std::size_t p : source.parameters()) names_.push_back(run.loaded.spec->parameters[p].name);
  }

  // `has_misfit`: what the data alone determine is to be judged as well.
  Verdicts judge(bool has_misfit) {
    const std::size_t n_regularizers = run_.loaded.model->regularizers.size();
    if (has_misfit) judge_misfit(n_regularizers);
    for (std::size_t r = 0; r < n_regularizers; ++r) judge_regularizer(r);
    for (std::size_t axis = 0; axis < names_.size(); ++axis) compare(axis);
    return std::move(report_);
  }

 private:
  void judge_misfit(std::size_t misfit) {
    if (!source_.has_values(misfit) || !source_.is_settled()) return;
    for (std::size_t axis = 0; axis < names_.size(); ++axis) {
      ParameterReading reading = source_.read(axis);
      if (finding_of(reading) != Finding::identifiable) continue;
      report_.verdicts.push_back(verdict(axis, kTheData, reading, Finding::determined, {}, false));
      determined_.emplace(axis, std::move(reading));
    }
  }

  void judge_regularizer(std::size_t regularizer) {
    const std::string& name = run_.loaded.model->regularizers[regularizer].name;
    if (!source_.has_values(regularizer)) {
      for (const std::string& parameter : names_)
        report_.verdicts.push_back(run_.loaded.model->uses_errors ? not_judged(parameter, name, kMadeOfErrors)
                                                                  : without_values(parameter, name));
      return;
    }
    if (!source_.is_settled()) {
      for (const std::string& parameter : names_)
        report_.verdicts.push_back(not_judged(parameter, name, kStillFalls));
      return;
    }
    std::vector<ParameterReading> readings;
    std::vector<Finding> findings;
    for (std::size_t axis = 0; axis < names_.size(); ++axis) {
      const auto determined = determined_.find(axis);
      readings.push_back(determined == determined_.end() ? source_.read(axis) : determined->second);
      findings.push_back(determined == determined_.end() ? finding_of(readings.back()) : Finding::determined);
    }
    const Valley valley = source_.valley();
    const std::vector<std::size_t> open = open_axes(findings);
    std::vector<Tie> ties = find_ties(valley, open, varied_);
    std::erase_if(ties, [&](const Tie& tie) {
      return !source_.is_low_along(points_along(tie, valley, varied_), tie.axes);
    });
    const bool may_be_tied = ties.empty() && open.size() > 1;
    for (const Tie& tie : ties) {
      report_.combinations.push_back(combination(tie, name));
      // What looks one-sided is then the other parameter's bound, seen along the valley.
      for (std::size_t axis : tie.axes) findings[axis] = Finding::flat;
    }
    const bool has_several = std::count(findings.begin(), findings.end(), Finding::several_minima) > 0;
    for (std::size_t axis = 0; axis < names_.size(); ++axis) {
      const bool is_tied = may_be_tied && findings[axis] == Finding::flat && source_.is_tied(axis, open);
      report_.verdicts.push_back(verdict(axis, name, readings[axis], findings[axis], ties, is_tied));
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
                  Finding finding, const std::vector<Tie>& ties, bool is_tied) const {
    VerdictFacts facts{.parameter = names_[axis],
                       .regularizer = regularizer,
                       .number = source_.parameters()[axis],
                       .coordinates = coordinates_,
                       .finding = finding,
                       .reading = reading,
                       .is_tied = is_tied,
                       .basis = basis_};
    for (const Tie& tie : ties)
      if (facts.tie.empty() && std::find(tie.axes.begin(), tie.axes.end(), axis) != tie.axes.end())
        facts.tie = tie_text(tie, names_);
    facts.needs_more_data = finding == Finding::flat && facts.tie.empty() && !is_tied &&
                            is_narrow(reading.on_these_windows) && !is_by_smoothing(facts);
    Verdict verdict;
    verdict.parameter = facts.parameter;
    verdict.needs_more_data = facts.needs_more_data;
    verdict.regularizer = regularizer;
    verdict.finding = finding;
    verdict.sentence = sentence_of(facts);
    verdict.evidence = evidence_of(facts);
    for (const auto& [held, value] : held_)
      verdict.evidence.push_back(fmt::format("{} was held at {:.6g}", held, value));
    verdict.best = facts.in_units(reading.best);
    verdict.interval = {facts.in_units(reading.interval.first), facts.in_units(reading.interval.second)};
    if (reading.groups.size() > 1)
      for (const Interval& group : reading.groups)
        verdict.intervals.emplace_back(facts.in_units(group.first), facts.in_units(group.second));
    for (double position : reading.positions) verdict.profile.theta.push_back(facts.in_units(position));
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
  ReadingSource& source_;
  const Basis& basis_;
  const Theta& held_;
  ThetaCoordinates coordinates_;
  VariedParameters varied_;
  std::vector<std::string> names_;
  // Readings of the misfit of parameters that the data determine: regularizers have nothing to decide there.
  std::map<std::size_t, ParameterReading> determined_;
  Verdicts report_;
};

}  // namespace

Finding finding_of(const ParameterReading& reading) {
  if (reading.poor_share > kNarrow || reading.is_lower_where_poor || reading.is_cut_off)
    return Finding::cut_off;
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

namespace {

Verdicts without_verdict(const OpenedRun& run, const Theta& held, const std::string& why) {
  Verdicts verdicts;
  for (const BoundRegularizer& regularizer : run.loaded.model->regularizers)
    for (const ParameterSpec& parameter : run.loaded.spec->parameters)
      if (!held.contains(parameter.name))
        verdicts.verdicts.push_back(not_judged(parameter.name, regularizer.name, why));
  verdicts.warnings.push_back("no verdict: " + why);
  return verdicts;
}

}  // namespace

Verdicts judge(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const StudyOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  const Admission admission = admit(run, choice, pool);
  if (!admission.refusal.empty()) {
    Verdicts verdicts = without_verdict(run, options.held, admission.refusal);
    verdicts.split = choice.description.empty() ? choice.name : choice.description;
    verdicts.n_windows = choice.windows.size();
    verdicts.n_networks = networks.size();
    return verdicts;
  }
  const MatchedSources sources = make_sources(run, networks, choice, pool);
  Basis basis{.n_networks = networks.size(),
              .n_resamples = options.n_resamples,
              .obstacle = sources.obstacle,
              .note = sources.note};
  Verdicts verdicts;
  if (sources.obstacle.empty()) {
    ThetaStudies studies(run, sources, options, pool);
    basis.n_smoothings = sources.sources.size();
    basis.n_windows = studies.last().n_windows;
    StudySource source(studies);
    verdicts = Judge(run, source, basis, options.held).judge(studies.last().limit.is_active);
  } else {
    CloudSource source(
        [&](const CloudRange& range) { return make_cloud(run, networks, choice, options, range); },
        run.loaded.model->regularizers.size(), regularizers_at_once(run, networks, choice, options));
    basis.n_windows = source.cloud().n_windows;
    verdicts = Judge(run, source, basis, options.held).judge(false);
  }
  verdicts.summary = summary_of(verdicts, admission.fits);
  if (!sources.advice.empty() && !verdicts.summary.empty()) verdicts.summary.push_back(sources.advice);
  verdicts.split = choice.description.empty() ? choice.name : choice.description;
  verdicts.n_windows = basis.n_windows;
  verdicts.n_networks = networks.size();
  return verdicts;
}

Verdicts judge(const Run& handle, const JudgeOptions& options) {
  const auto [run, choice, has_outputs] =
      open_target(handle, {options.on, options.data, options.n_windows, "regularizers", options.seed},
                  options.regularizers, {Split::validation, Split::train});
  const Networks networks = gather_networks(run, {options.seeds, options.with}, options.execution);
  Verdicts verdicts = judge(run, networks, choice,
                            {.held = options.held,
                             .n_resamples = options.n_resamples,
                             .seed = options.seed,
                             .execution = options.execution});
  if (run.has_own_data && choice.description.empty() && has_outputs)
    keep_page(run, PagePart::verdicts,
              {{choice.name, choice.windows.size(), networks.seeds, options.regularizers, options.held},
               json_of(verdicts)});
  verdicts.warnings.insert(verdicts.warnings.begin(), run.warnings.begin(), run.warnings.end());
  verdicts.warnings.insert(verdicts.warnings.end(), networks.warnings.begin(), networks.warnings.end());
  return verdicts;
}

}  // namespace greybox
