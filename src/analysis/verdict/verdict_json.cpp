#include "analysis/verdict/verdict_json.hpp"

#include "analysis/run/json_numbers.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Verdict& verdict) {
  return {{"parameter", verdict.parameter},
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
}

Finding finding_from(const std::string& name) {
  constexpr auto last = static_cast<int>(Finding::not_adapted);
  for (int k = 0; k < last; ++k)
    if (const auto finding = static_cast<Finding>(k); name_of(finding) == name) return finding;
  return Finding::not_adapted;
}

Verdict verdict_from(const Json& json) {
  Verdict verdict;
  verdict.parameter = json.at("parameter");
  verdict.regularizer = json.at("regularizer");
  verdict.finding = finding_from(json.at("finding"));
  verdict.sentence = json.at("sentence");
  verdict.evidence = json.at("evidence").get<std::vector<std::string>>();
  verdict.best = number_from(json.at("best"));
  verdict.interval = {number_from(json.at("interval")[0]), number_from(json.at("interval")[1])};
  const Json& profile = json.at("profile");
  verdict.profile = {numbers_from(profile.at("theta")), numbers_from(profile.at("R")),
                     numbers_from(profile.at("low")), numbers_from(profile.at("high"))};
  return verdict;
}

}  // namespace

std::string verdict_json(const VerdictReport& report) {
  Json json;
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : report.verdicts) json["verdicts"].push_back(to_json(verdict));
  json["combinations"] = Json::array();
  for (const FlatCombination& one : report.combinations)
    json["combinations"].push_back({{"regularizer", one.regularizer},
                                    {"text", one.text},
                                    {"direction", one.direction},
                                    {"sentence", one.sentence}});
  return json.dump();
}

VerdictReport verdicts_from(const std::string& json) {
  VerdictReport report;
  const Json parsed = Json::parse(json);
  for (const Json& verdict : parsed.at("verdicts")) report.verdicts.push_back(verdict_from(verdict));
  for (const Json& one : parsed.at("combinations"))
    report.combinations.push_back({one.at("regularizer"), one.at("text"),
                                   one.at("direction").get<std::map<std::string, double>>(),
                                   one.at("sentence")});
  report.json = json;
  return report;
}

}  // namespace greybox
