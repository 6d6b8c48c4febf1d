#include "analysis/structure/structure_words.hpp"

#include <fmt/format.h>

#include "data/json_file.hpp"

namespace greybox {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string tied_sentence(const TiedParameters& tied) {
  if (tied.n_determined == 1 && tied.combinations.size() == 1)
    return fmt::format(
        "{}: with the theory alone only {} is determined; no data of this design tell them apart",
        listed(tied.parameters), tied.combinations[0]);
  const std::string known = tied.combinations.empty()
                                ? ""
                                : (tied.combinations.size() < tied.n_determined ? ", among them " : ": ") +
                                      listed(tied.combinations);
  return fmt::format("{}: with the theory alone only {} combination{} of these {} parameters {} determined{}",
                     listed(tied.parameters), tied.n_determined, tied.n_determined == 1 ? "" : "s",
                     tied.parameters.size(), tied.n_determined == 1 ? "is" : "are", known);
}

void add_theory(const TheoryStructure& theory, std::vector<std::string>& sentences) {
  if (theory.n_draws < 2) {
    sentences.emplace_back(
        "the theory alone has no finite trajectories at most θ of the prior: nothing can be said of it; "
        "narrow the "
        "prior or the windows");
    return;
  }
  for (const std::string& name : theory.idle)
    sentences.push_back(
        fmt::format("{}: has no effect on what is observed; no data of this design determine it", name));
  for (const TiedParameters& tied : theory.tied) sentences.push_back(tied_sentence(tied));
  if (!theory.determined.empty())
    sentences.push_back(
        fmt::format("{}: determined, if the theory alone were right", listed(theory.determined)));
}

std::string kept_combinations(const TiedParameters& tied) {
  if (tied.combinations.size() == tied.n_determined)
    return fmt::format("{}: the network can undo all of it but {}, about which the data can speak",
                       listed(tied.parameters), listed(tied.combinations));
  return fmt::format("{}: the network can undo all but {} combination{} of these {} parameters",
                     listed(tied.parameters), tied.n_determined, tied.n_determined == 1 ? "" : "s",
                     tied.parameters.size());
}

void add_network(const NetworkStructure& network, std::vector<std::string>& sentences) {
  if (!network.not_tested.empty()) {
    sentences.push_back(fmt::format("what the network can undo was not tested: {}", network.not_tested));
    return;
  }
  if (!network.absorbed.empty())
    sentences.push_back(fmt::format(
        "{}: the network can undo whatever {}; the data alone do not choose, only a regularizer does",
        listed(network.absorbed), network.absorbed.size() == 1 ? "it does" : "they do"));
  if (!network.kept.empty())
    sentences.push_back(
        fmt::format("{}: the network cannot undo what {}, so the data can speak, whatever the regularizer",
                    listed(network.kept), network.kept.size() == 1 ? "it does" : "they do"));
  for (const TiedParameters& tied : network.tied) sentences.push_back(kept_combinations(tied));
  if (!network.undecided.empty())
    sentences.push_back(fmt::format(
        "{}: this test does not decide what the network can undo; it undoes a part, or some state is not "
        "observed",
        listed(network.undecided)));
}

Json json_of(const std::vector<TiedParameters>& groups) {
  Json json = Json::array();
  for (const TiedParameters& tied : groups)
    json.push_back({{"parameters", tied.parameters},
                    {"n_determined", tied.n_determined},
                    {"combinations", tied.combinations}});
  return json;
}

}  // namespace

std::vector<std::string> structure_sentences(const StructuralCheck& structure) {
  std::vector<std::string> sentences;
  add_theory(structure.theory, sentences);
  add_network(structure.network, sentences);
  return sentences;
}

std::string to_json(const StructuralCheck& structure) {
  Json json;
  Json& theory = json["theory"];
  theory["draws"] = structure.theory.n_draws;
  theory["determined"] = structure.theory.determined;
  theory["idle"] = structure.theory.idle;
  theory["tied"] = json_of(structure.theory.tied);
  theory["singular_values"] = structure.theory.singular_values;
  Json& network = json["network"];
  network["not_tested"] = structure.network.not_tested;
  network["absorbed"] = structure.network.absorbed;
  network["kept"] = structure.network.kept;
  network["tied"] = json_of(structure.network.tied);
  network["undecided"] = structure.network.undecided;
  json["sentences"] = structure.sentences;
  return json.dump();
}

}  // namespace greybox
