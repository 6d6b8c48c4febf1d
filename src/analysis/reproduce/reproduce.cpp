// One experiment of the paper, from data to findings.
#include "greybox/reproduce.hpp"

#include <array>

#include "analysis/reproduce/reproduce_experiments.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

void run(Reproduction& work) {
  switch (work.options().experiment) {
    case Experiment::toy:
      return reproduce_toy(work);
    case Experiment::pendulum:
      return reproduce_pendulum(work);
    case Experiment::reaction_diffusion:
      return reproduce_reaction_diffusion(work);
    case Experiment::predator_prey:
      return reproduce_predator_prey(work);
  }
}

Json to_json(const ComparedNumber& finding) {
  const Json verdict = is_judged(finding) ? Json(agrees(finding)) : Json();
  return {{"quantity", finding.quantity},
          {"ours", finding.ours},
          {"theirs", finding.theirs},
          {"agrees", verdict}};
}

}  // namespace

std::string to_string(Experiment experiment) {
  constexpr std::array kNames = {"toy", "pendulum", "reaction-diffusion", "predator-prey"};
  return kNames[static_cast<std::size_t>(experiment)];
}

ReproduceReport reproduce(const ReproduceOptions& options) {
  Reproduction work(options);
  bool is_interrupted = false;
  try {
    run(work);
  } catch (const Interruption&) {
    is_interrupted = true;
  }
  ReproduceReport report = work.report();
  report.is_interrupted = is_interrupted;
  return report;
}

std::string to_json(const ReproduceReport& report) {
  Json json = {{"experiment", report.name}, {"folder", report.folder.string()},
               {"data", report.data},       {"settings", report.settings},
               {"seed", report.seed},       {"version", report.version},
               {"machine", report.machine}, {"findings", Json::array()},
               {"trust", Json::array()},    {"warnings", report.warnings}};
  for (const ComparedNumber& finding : report.findings) json["findings"].push_back(to_json(finding));
  for (const ReproducedVerdicts& judged : report.verdicts)
    json["trust"].push_back(
        {{"where", judged.where}, {"networks", judged.n_networks}, {"verdicts", json_of(judged.verdicts)}});
  return json.dump();
}

}  // namespace greybox
