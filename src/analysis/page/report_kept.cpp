// What other commands left in the run's folder, as the page shows it: known members alone, each of its type,
// so that a file that is something else does not end up on a page that is shown around.
#include "analysis/page/report_parts.hpp"

namespace greybox {
namespace {

using Taker = Json (*)(const JsonValue&);

Json take_text(const JsonValue& value) {
  return value.text();
}
Json take_texts(const JsonValue& value) {
  return value.texts();
}
Json take_count(const JsonValue& value) {
  return value.whole_number();
}
Json take_number(const JsonValue& value) {
  return value.number();
}
Json take_numbers(const JsonValue& value) {
  return value.numbers_by_name();
}

struct Member {
  const char* name;
  Taker take;
};

template <std::size_t n>
Json taken(const JsonValue& from, const Member (&members)[n]) {
  Json json = Json::object();
  for (const Member& member : members)
    if (const auto value = from.find(member.name)) json[member.name] = member.take(*value);
  return json;
}

constexpr Member kEstimate[] = {
    {"regularizer", take_text}, {"method", take_text},        {"on", take_text},
    {"theta", take_numbers},    {"theta_mean", take_numbers}, {"theta_sd", take_numbers},
    {"R", take_number},         {"L", take_number},           {"rmse", take_number},
    {"nrmse", take_number},     {"at_bounds", take_texts},    {"windows", take_count},
    {"note", take_text},        {"warnings", take_texts}};
constexpr Member kPosterior[] = {{"regularizer", take_text},
                                 {"beta", take_number},
                                 {"method", take_text},
                                 {"on", take_text},
                                 {"windows", take_count},
                                 {"chains", take_count},
                                 {"draws_per_chain", take_count},
                                 {"warmup", take_count},
                                 {"seed", take_count},
                                 {"divergences", take_count},
                                 {"warnings", take_texts}};
constexpr Member kPosteriorParameter[] = {
    {"name", take_text},     {"mean", take_number},     {"sd", take_number},
    {"median", take_number}, {"q5", take_number},       {"q95", take_number},
    {"rhat", take_number},   {"ess_bulk", take_number}, {"ess_tail", take_number}};
constexpr Member kAtBeta[] = {{"beta", take_number}, {"ess", take_number}};
constexpr Member kParameterAtBeta[] = {{"name", take_text}, {"mean", take_number}, {"sd", take_number}};

template <std::size_t n>
Json taken_list(const JsonValue& from, const Member (&members)[n]) {
  Json list = Json::array();
  for (const JsonValue& one : from.elements()) list.push_back(taken(one, members));
  return list;
}

}  // namespace

Json report_estimates(const JsonValue& kept) {
  return taken_list(kept, kEstimate);
}

Json report_posterior(const JsonValue& kept) {
  Json posterior = taken(kept, kPosterior);
  posterior["parameters"] = taken_list(kept.at("parameters"), kPosteriorParameter);
  for (const JsonValue& parameter : kept.at("parameters").elements()) parameter.at("name").text();
  if (const auto sensitivity = kept.find("sensitivity"))
    for (const JsonValue& at : sensitivity->elements()) {
      Json one = taken(at, kAtBeta);
      one["parameters"] = taken_list(at.at("parameters"), kParameterAtBeta);
      posterior["sensitivity"].push_back(one);
    }
  return posterior;
}

}  // namespace greybox
