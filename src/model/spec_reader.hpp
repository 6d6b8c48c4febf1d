// The parts of reading a model file, one function per group of tables. Internal to parse_model_spec.
#pragma once

#include <string_view>
#include <vector>

#include "model/spec.hpp"
#include "model/toml_document.hpp"

namespace greybox {

class Section;

// Each gives a usable value and reports mistakes to the document.
std::vector<Equation> read_equations(TomlDocument& document, std::string_view table);
// Equations, and what tables say beside them.
struct ReadInputs {
  std::vector<Equation> equations;
  std::vector<SignalSpec> signals;
};
ReadInputs read_inputs(TomlDocument& document);
// Initial values, and where they come from.
struct ReadStates {
  std::vector<Equation> equations;
  std::vector<StartSpec> starts;
};
ReadStates read_states(TomlDocument& document);
std::vector<LatentSpec> read_latents(TomlDocument& document);
DataSpec read_data(TomlDocument& document);
std::vector<ParameterSpec> read_parameters(TomlDocument& document);
// `statics`: names of fields that do not change in time.
GridSpec read_grid(TomlDocument& document, std::vector<std::string>& statics);
// `scale` is what networks do that say nothing about it.
std::vector<NetworkSpec> read_networks(TomlDocument& document, Scaling scale);
// `observed`: the names of the observed variables, in their order.
std::vector<NoiseSpec> read_noise(TomlDocument& document, const std::vector<std::string>& observed);
std::vector<GivenScale> read_scales(TomlDocument& document);
// The keys of the network's kind, in the section of network `name`.
NetworkSettings read_network_settings(Section& section, const NetworkKind& kind, std::string_view name);
// What is known of the outputs of `network`, whose other keys are read.
NetworkConstraints read_constraints(Section& section, const NetworkSpec& network);
SolverSpec read_solver(TomlDocument& document);
TrainSpec read_train(TomlDocument& document);

// Every name is a name, means one thing only, and hides nothing.
void check_names(const ModelSpec& spec, FileMistakes& mistakes);
// Solvers of stiff equations compute in double.
void settle_precision(ModelSpec& spec, FileMistakes& mistakes);
// The tables fit together.
void check_structure(const ModelSpec& spec, FileMistakes& mistakes);

}  // namespace greybox
