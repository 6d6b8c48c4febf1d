#include "analysis/verdict/verdict_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/verdict/verdict_words.hpp"

namespace greybox {
namespace {

using Names = std::vector<std::string>;

void add_once(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const Names& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string value_text(const Verdict& verdict) {
  return fmt::format("{} = {:.3g} ({:.3g} to {:.3g})", verdict.parameter, verdict.best,
                     verdict.interval.first, verdict.interval.second);
}

class Summary {
 public:
  Summary(const Verdicts& verdicts, bool fits) : verdicts_(verdicts), fits_(fits) {}

  std::vector<std::string> sentences() {
    add_determined();
    add_by_regularizer();
    add_open();
    add_advice();
    return std::move(sentences_);
  }

 private:
  template <class F>
  Names parameters(F&& is_meant) const {
    Names names;
    for (const Verdict& verdict : verdicts_)
      if (is_meant(verdict)) add_once(names, verdict.parameter);
    return names;
  }

  Names with_finding(Finding finding) const {
    return parameters([&](const Verdict& verdict) { return verdict.finding == finding; });
  }

  void add_determined() {
    Names found;
    for (const Verdict& verdict : verdicts_)
      if (verdict.finding == Finding::determined && verdict.regularizer == kTheData)
        found.push_back(value_text(verdict));
    if (!found.empty())
      sentences_.push_back(fmt::format("The data determine {}, whatever the regularizer.", joined(found)));
  }

  // What holds if a regularizer is right.
  void add_by_regularizer() {
    Names regularizers;
    for (const Verdict& verdict : verdicts_)
      if (verdict.finding != Finding::disagree && verdict.finding != Finding::determined)
        add_once(regularizers, verdict.regularizer);
    for (const std::string& regularizer : regularizers) {
      Names found;
      for (const Verdict& verdict : verdicts_)
        if (verdict.regularizer == regularizer && verdict.finding == Finding::identifiable)
          found.push_back(value_text(verdict));
      for (const FlatCombination& combination : verdicts_.combinations)
        if (combination.regularizer == regularizer) found.push_back(combination.text);
      if (!found.empty())
        sentences_.push_back(fmt::format("If {} is right, it determines {}.", regularizer, joined(found)));
    }
  }

  bool is_read(const Verdict& verdict) const {
    return verdict.finding == Finding::identifiable || verdict.finding == Finding::determined;
  }

  void add_open() {
    const Names read = parameters([&](const Verdict& verdict) { return is_read(verdict); });
    open_ = parameters([&](const Verdict& verdict) {
      return verdict.finding != Finding::not_judged && !contains(read, verdict.parameter);
    });
    if (open_.empty()) return;
    sentences_.push_back(fmt::format("No regularizer here determines {}: do not interpret {}.", joined(open_),
                                     open_.size() == 1 ? "its estimate" : "their estimates"));
    if (!fits_)
      sentences_.emplace_back(
          "The run fits its data only partly: mend that first, a run that fits may determine more.");
  }

  void add_advice() {
    const auto advise = [&](const Names& names, const char* text) {
      if (!names.empty()) sentences_.push_back(fmt::format(fmt::runtime(text), joined(names)));
    };
    advise(with_finding(Finding::disagree),
           "The regularizers exclude each other's values of {}: choose by what is known about the missing "
           "part, not by "
           "these data.");
    const Names pushed = with_finding(Finding::one_sided);
    advise(pushed,
           pushed.size() == 1
               ? "{} is pushed to an end of its range by some regularizer: ask whether the range is right."
               : "{} are pushed to ends of their ranges by some regularizer: ask whether the ranges are "
                 "right.");
    advise(with_finding(Finding::cut_off), "For {} train longer, or narrow the prior to θ that fit.");
    advise(with_finding(Finding::unstable), "For {} train longer or with more data: networks disagree.");
    Names tied;
    for (const FlatCombination& combination : verdicts_.combinations) {
      Names names;
      for (const auto& [name, factor] : combination.direction) names.push_back(name);
      const std::string text =
          fmt::format("To know {} each, measure all but one of them in another way: {} then gives the last.",
                      joined(names), combination.text);
      add_once(sentences_, text);
      for (const std::string& name : names) add_once(tied, name);
    }
    const Names short_of_data = parameters([&](const Verdict& verdict) {
      return verdict.needs_more_data && contains(open_, verdict.parameter);
    });
    advise(short_of_data,
           "For {} judge by more windows of more series: what these say, others like them might not.");
    Names untied = open_;
    std::erase_if(untied, [&](const std::string& name) {
      return contains(tied, name) || contains(short_of_data, name);
    });
    advise(untied,
           "To know {}, measure in another way, give the network fewer inputs than the theory has, or add a "
           "regularizer "
           "that says what is known about the missing part.");
  }

  const Verdicts& verdicts_;
  bool fits_;
  std::vector<std::string> sentences_;
  Names open_;
};

}  // namespace

std::vector<std::string> summary_of(const Verdicts& verdicts, bool fits) {
  const auto is_judged = [](const Verdict& verdict) { return verdict.finding != Finding::not_judged; };
  if (std::none_of(verdicts.begin(), verdicts.end(), is_judged)) return {};
  return Summary(verdicts, fits).sentences();
}

}  // namespace greybox
