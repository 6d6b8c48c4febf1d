// greybox::structural_check.
#include "greybox/structure.hpp"

#include <algorithm>
#include <set>

#include "analysis/structure/absorption.hpp"
#include "analysis/structure/null_space.hpp"
#include "analysis/structure/sensitivity.hpp"
#include "analysis/structure/structure_words.hpp"
#include "analysis/structure/tied.hpp"

namespace greybox {
namespace {

constexpr double kZeroSingularValue = 1e-6;  // of the largest
constexpr double kMostLost = 0.5;            // rows without finite values, beyond which a θ says nothing
// Differences leave about 1e-9 of a projection; what is tied is tied far more strongly.
constexpr double kNegligiblePart = 1e-4;
constexpr std::size_t kLeastDraws = 2;
constexpr std::size_t kDrawsWithNetwork = 3;  // each costs regressions over some hundred points

// One θ at which the theory was tested.
struct TestedTheta {
  std::vector<double> theta;
  NullSpace space;
};

std::vector<std::size_t> spaced_windows(std::size_t n_all, std::size_t n_most) {
  std::vector<std::size_t> windows;
  const std::size_t n = std::min(n_all, std::max<std::size_t>(n_most, 1));
  for (std::size_t k = 0; k < n; ++k) windows.push_back(k * n_all / n);
  return windows;
}

// Only those with the smallest null space: at single θ, such as zero factors, more directions have no effect.
std::vector<TestedTheta> generic(std::vector<TestedTheta> tested) {
  std::size_t smallest = SIZE_MAX;
  for (const TestedTheta& one : tested) smallest = std::min(smallest, one.space.dimension);
  std::erase_if(tested, [&](const TestedTheta& one) { return one.space.dimension > smallest; });
  return tested;
}

void summarise(const std::vector<TestedTheta>& tested, const ThetaBox& box, const ModelSpec& spec,
               TheoryStructure& result) {
  for (const double value : tested[0].space.singular_values) result.singular_values.push_back(value);
  std::vector<LostDirections> lost;
  for (const TestedTheta& one : tested) lost.push_back({one.theta, one.space.projection});
  std::set<std::string> moved;
  for (const TiedParameters& tied : tied_parameters(lost, box, spec, kNegligiblePart)) {
    moved.insert(tied.parameters.begin(), tied.parameters.end());
    if (tied.n_determined == 0)
      result.idle.insert(result.idle.end(), tied.parameters.begin(), tied.parameters.end());
    else
      result.tied.push_back(tied);
  }
  for (const ParameterSpec& parameter : spec.parameters)
    if (!moved.contains(parameter.name)) result.determined.push_back(parameter.name);
}

TheoryStructure theory_structure(const LoadedModel& loaded, const ThetaBox& box,
                                 const std::vector<std::size_t>& windows, const StructureOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  std::vector<TestedTheta> tested;
  for (std::size_t draw = 0; draw < options.n_draws; ++draw) {
    if (options.execution.is_cancelled()) throw Interruption("interrupted");
    const OutputSensitivity at =
        output_sensitivity(loaded, box, windows, inner_draw(box, options.seed, draw), pool);
    if (at.lost <= kMostLost) tested.push_back({at.theta, null_space(at.matrix, kZeroSingularValue)});
  }
  TheoryStructure result{.n_draws = tested.size()};
  if (tested.size() >= kLeastDraws) summarise(generic(std::move(tested)), box, *loaded.spec, result);
  return result;
}

std::vector<std::vector<double>> draws_of(const ThetaBox& box, const StructureOptions& options) {
  std::vector<std::vector<double>> thetas;
  for (std::size_t draw = 0; draw < std::min(options.n_draws, kDrawsWithNetwork); ++draw)
    thetas.push_back(inner_draw(box, options.seed, draw));
  return thetas;
}

// What has no effect at all is not for the network to undo.
void leave_out_idle(const TheoryStructure& theory, NetworkStructure& network) {
  const auto is_idle = [&](const std::string& name) {
    return std::ranges::find(theory.idle, name) != theory.idle.end();
  };
  for (auto* list : {&network.absorbed, &network.kept, &network.undecided}) std::erase_if(*list, is_idle);
}

}  // namespace

StructuralCheck structural_check(const Dataset& dataset, const StructureOptions& options) {
  const LoadedModel loaded = with_fixed_steps(dataset.loaded(), dataset.table().data());
  const ThetaBox box(loaded.spec->parameters);
  StructuralCheck result;
  if (box.size() > 0) {
    const std::vector<std::size_t> windows = spaced_windows(dataset.n_windows(), options.n_windows);
    const std::vector<std::size_t> more = spaced_windows(dataset.n_windows(), 4 * options.n_windows);
    result.theory = theory_structure(loaded, box, windows, options);
    result.network = network_structure(loaded, box, more, draws_of(box, options));
    leave_out_idle(result.theory, result.network);
  }
  result.sentences = structure_sentences(result);
  return result;
}

}  // namespace greybox
