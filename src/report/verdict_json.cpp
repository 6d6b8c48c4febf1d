#include "report/verdict_json.hpp"

namespace greybox {
namespace {

Json to_json(const Verdict& verdict) {
  Json json{{"parameter", verdict.parameter},
            {"regularizer", verdict.regularizer},
            {"finding", name_of(verdict.finding)},
            {"sentence", verdict.sentence},
            {"evidence", verdict.evidence},
            {"best", verdict.best},
            {"interval", {verdict.interval.first, verdict.interval.second}},
            {"profile",
             {{"theta", verdict.profile.theta},
              {"R", verdict.profile.lowest},
              {"low", verdict.profile.low},
              {"high", verdict.profile.high}}}};
  if (verdict.needs_more_data) json["needs_more_data"] = true;
  for (const auto& [low, high] : verdict.intervals) json["intervals"].push_back({low, high});
  return json;
}

Finding finding_from(const std::string& name) {
  constexpr auto last = static_cast<int>(Finding::not_judged);
  for (int k = 0; k <= last; ++k)
    if (const auto finding = static_cast<Finding>(k); name_of(finding) == name) return finding;
  return Finding::not_adapted;
}

Verdict verdict_from(const JsonValue& json) {
  Verdict verdict;
  verdict.parameter = json.at("parameter").text();
  verdict.regularizer = json.at("regularizer").text();
  verdict.finding = finding_from(json.at("finding").text());
  verdict.sentence = json.at("sentence").text();
  verdict.evidence = json.at("evidence").texts();
  verdict.best = json.at("best").number();
  const std::vector<double> interval = json.at("interval").numbers();
  if (interval.size() != 2) json.at("interval").refuse("a pair of numbers");
  verdict.interval = {interval[0], interval[1]};
  if (const auto parts = json.find("intervals"))
    for (const JsonValue& part : parts->elements()) {
      const std::vector<double> ends = part.numbers();
      if (ends.size() != 2) part.refuse("a pair of numbers");
      verdict.intervals.emplace_back(ends[0], ends[1]);
    }
  if (const auto more = json.find("needs_more_data")) verdict.needs_more_data = more->boolean();
  const JsonValue profile = json.at("profile");
  verdict.profile = {profile.at("theta").numbers(), profile.at("R").numbers(), profile.at("low").numbers(),
                     profile.at("high").numbers()};
  return verdict;
}

}  // namespace

Json json_of(const Verdicts& verdicts) {
  Json json{{"summary", verdicts.summary}};
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : verdicts.verdicts) json["verdicts"].push_back(to_json(verdict));
  json["combinations"] = Json::array();
  for (const FlatCombination& one : verdicts.combinations)
    json["combinations"].push_back({{"regularizer", one.regularizer},
                                    {"text", one.text},
                                    {"direction", one.direction},
                                    {"sentence", one.sentence}});
  return json;
}

std::string to_json(const Verdicts& verdicts) {
  return json_of(verdicts).dump();
}

Verdicts verdicts_from(const JsonValue& json) {
  Verdicts verdicts;
  if (const auto summary = json.find("summary")) verdicts.summary = summary->texts();
  for (const JsonValue& verdict : json.at("verdicts").elements())
    verdicts.verdicts.push_back(verdict_from(verdict));
  for (const JsonValue& one : json.at("combinations").elements())
    verdicts.combinations.push_back({one.at("regularizer").text(), one.at("text").text(),
                                     one.at("direction").numbers_by_name(), one.at("sentence").text()});
  return verdicts;
}

}  // namespace greybox
