#include "analysis/verdict/verdict_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "greybox/counted.hpp"

namespace greybox {
namespace {

constexpr const char* kDoNot = "do not interpret its estimate";
constexpr double kMostBySmoothing = 2.0 / 3;

std::string text_of(double value) {
  return fmt::format("{:.3g}", value);
}

std::string span_text(const VerdictFacts& facts, const Interval& interval) {
  return fmt::format("{} to {}", text_of(facts.in_units(interval.first)),
                     text_of(facts.in_units(interval.second)));
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string flat_sentence(const VerdictFacts& facts) {
  if (!facts.tie.empty()) return fmt::format("(only {} is determined) — {}", facts.tie, kDoNot);
  if (facts.is_tied) return fmt::format("(a thin or curved valley ties it to other parameters) — {}", kDoNot);
  if (is_by_smoothing(facts))
    return fmt::format("from {}, because ways to smooth the data differ — {}; train longer",
                       span_text(facts, facts.reading.interval), kDoNot);
  if (facts.needs_more_data)
    return fmt::format("— these windows alone say {}, but so few leave open what others would say; {}",
                       span_text(facts, facts.reading.on_these_windows), kDoNot);
  if (width(facts.reading.interval) > 0.95) return fmt::format("— {}", kDoNot);
  return fmt::format("from {} — {}", span_text(facts, facts.reading.interval), kDoNot);
}

std::string one_sided_sentence(const VerdictFacts& facts) {
  const Interval& interval = facts.reading.interval;
  const bool is_low = interval.first < 1 - interval.second;
  return fmt::format("— it is pushed to the end of its range; all that is said is {} {} {}", facts.parameter,
                     is_low ? "≤" : "≥", text_of(facts.in_units(is_low ? interval.second : interval.first)));
}

std::string several_sentence(const VerdictFacts& facts) {
  std::vector<std::string> groups;
  for (const Interval& group : facts.reading.groups) groups.push_back(span_text(facts, group));
  return fmt::format("— {}; it alone does not choose", fmt::join(groups, " or "));
}

std::string unstable_sentence(const VerdictFacts& facts) {
  std::vector<std::string> networks;
  for (const Interval& one : facts.reading.of_networks) networks.push_back(span_text(facts, one));
  return fmt::format("— networks that differ only in their seed say {}", fmt::join(networks, "; "));
}

}  // namespace

bool is_by_smoothing(const VerdictFacts& facts) {
  return facts.basis.n_smoothings > 1 && facts.basis.note.empty() &&
         facts.reading.widest_alone < kMostBySmoothing * width(facts.reading.interval);
}

std::string sentence_of(const VerdictFacts& facts) {
  const std::string begin =
      fmt::format("{}: {} under {}", facts.parameter, name_of(facts.finding), facts.regularizer);
  switch (facts.finding) {
    case Finding::identifiable:
      return fmt::format("{} — {}, from {}", begin, text_of(facts.in_units(facts.reading.best)),
                         span_text(facts, facts.reading.interval));
    case Finding::flat:
      return fmt::format("{} {}", begin, flat_sentence(facts));
    case Finding::one_sided:
      return fmt::format("{} {}", begin, one_sided_sentence(facts));
    case Finding::several_minima:
      return fmt::format("{} {}", begin, several_sentence(facts));
    case Finding::unstable:
      return fmt::format("{} {}", begin, unstable_sentence(facts));
    case Finding::determined:
      if (facts.regularizer != kTheData)
        return fmt::format("{}: determined by the data, so that {} has nothing to decide", facts.parameter,
                           facts.regularizer);
      return fmt::format("{}: determined by the data — {}, from {} — whatever the regularizer",
                         facts.parameter, text_of(facts.in_units(facts.reading.best)),
                         span_text(facts, facts.reading.interval));
    case Finding::cut_off:
      return fmt::format("{} — {} falls towards θ that the network has not adapted to, from {}; {}", begin,
                         facts.regularizer, span_text(facts, facts.reading.interval),
                         "train longer or narrow the prior");
    default:
      return fmt::format("{}: the network is not adapted where {} would have to be judged — {}",
                         facts.parameter, facts.regularizer, kDoNot);
  }
}

std::vector<std::string> evidence_of(const VerdictFacts& facts) {
  const ParameterReading& reading = facts.reading;
  const Basis& basis = facts.basis;
  std::vector<std::string> evidence;
  evidence.push_back(fmt::format("{} leaves {} of the range {} to {} open: {}", facts.regularizer,
                                 percent(width(reading.interval)), text_of(facts.in_units(0)),
                                 text_of(facts.in_units(1)), span_text(facts, reading.interval)));
  evidence.push_back(fmt::format(
      "at its lowest over the other parameters it rises along the range by {} of its rise over the prior",
      percent(reading.rise)));
  evidence.push_back(fmt::format("{}, each with {} resampled sets of them",
                                 counted(basis.n_windows, "window"), basis.n_resamples));
  if (basis.n_smoothings > 0) {
    evidence.push_back(fmt::format(
        "R of the correction that the data ask for, with {} of the data; it does not rest on how well the "
        "network adapted",
        counted(basis.n_smoothings, "smoothing")));
    if (!basis.note.empty()) evidence.push_back(basis.note);
  } else {
    evidence.push_back(
        fmt::format("R of {} as trained, because {}", counted(basis.n_networks, "network"), basis.obstacle));
    if (basis.n_networks == 1)
      evidence.emplace_back("one network cannot tell what a training with another seed would say");
  }
  if (reading.poor_share > 0)
    evidence.push_back(fmt::format("no θ fits the data over {} of the range", percent(reading.poor_share)));
  if (reading.is_lower_where_poor)
    evidence.push_back(fmt::format("{} is lowest at values that do not fit the data", facts.regularizer));
  return evidence;
}

std::string tie_sentence(const Tie& tie, const FlatCombination& combination,
                         const std::vector<std::string>& names) {
  std::vector<std::string> tied;
  for (std::size_t axis : tie.axes) tied.push_back(names[axis]);
  return fmt::format("{} determines {} — {}, from {} to {} — but none of {} alone", combination.regularizer,
                     combination.text, text_of(tie.best), text_of(tie.interval.first),
                     text_of(tie.interval.second), fmt::join(tied, ", "));
}

Verdict without_values(const std::string& parameter, const std::string& regularizer) {
  Verdict verdict;
  verdict.parameter = parameter;
  verdict.regularizer = regularizer;
  verdict.finding = Finding::not_adapted;
  verdict.sentence = fmt::format("{}: {} has no finite value anywhere — {}", parameter, regularizer, kDoNot);
  verdict.best = verdict.interval.first = verdict.interval.second = std::numeric_limits<double>::quiet_NaN();
  return verdict;
}

Verdict not_judged(const std::string& parameter, const std::string& regularizer, const std::string& why) {
  Verdict verdict = without_values(parameter, regularizer);
  verdict.finding = Finding::not_judged;
  verdict.sentence = fmt::format("{}: not judged under {} — {}", parameter, regularizer, why);
  return verdict;
}

Verdict disagreement(const std::string& parameter, const std::vector<const Verdict*>& verdicts) {
  Verdict all;
  all.parameter = parameter;
  all.finding = Finding::disagree;
  all.interval = verdicts.front()->interval;
  std::vector<std::string> names, views;
  for (const Verdict* verdict : verdicts) {
    names.push_back(verdict->regularizer);
    views.push_back(fmt::format("{} says {}", verdict->regularizer, text_of(verdict->best)));
    all.evidence.push_back(verdict->sentence);
    all.interval.first = std::min(all.interval.first, verdict->interval.first);
    all.interval.second = std::max(all.interval.second, verdict->interval.second);
  }
  all.regularizer = fmt::format("{}", fmt::join(names, ", "));
  all.sentence = fmt::format("{}: the regularizers disagree — {}; which to believe is a choice, not a result",
                             parameter, fmt::join(views, ", "));
  all.best = std::numeric_limits<double>::quiet_NaN();
  return all;
}

}  // namespace greybox
