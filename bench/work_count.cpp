#include "work_count.hpp"

#include <algorithm>
#include <numeric>

namespace greybox::bench {
namespace {

// Of all samples together; solvers evaluate at least once per sample.
double n_evaluations(const Engine<float>& engine) {
  const std::vector<MeanTerm>& terms = engine.model().terms;
  const auto term = std::ranges::find(terms, MeanOver::evaluations, &MeanTerm::over);
  if (term == terms.end()) return static_cast<double>(engine.outcomes().size());
  const auto weights = engine.term_weights(static_cast<std::size_t>(term - terms.begin()));
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// Of one sample in one evaluation: a weight is used once, or on fields once per grid point.
double flops_per_use(const BoundModel& model, const BoundNetwork& network, const ModelTensor& tensor) {
  const std::size_t pixels = network.spec->is_on_fields() ? model.grid().points() : 1;
  return tensor.tensor.shape.size() > 1 ? 2.0 * static_cast<double>(tensor.tensor.size() * pixels) : 0;
}

}  // namespace

double forward_flops(const Engine<float>& engine) {
  double flops = 0;
  for (const ModelTensor& tensor : engine.networks().tensors()) {
    const BoundNetwork& network = engine.model().networks[tensor.network];
    if (network.is_estimator) continue;  // not used while θ is given
    const bool is_repeated = network.rate == Rate::evaluation;
    const double n_uses = is_repeated ? n_evaluations(engine) : static_cast<double>(engine.outcomes().size());
    flops += n_uses * flops_per_use(engine.model(), network, tensor);
  }
  return flops;
}

}  // namespace greybox::bench
