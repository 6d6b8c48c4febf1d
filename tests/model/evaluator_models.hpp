// Models with weights, made on the spot, and evaluators of them.
#pragma once

#include <string>
#include <vector>

#include "model/made_model.hpp"
#include "model/model_texts.hpp"
#include "model/point_evaluator.hpp"

namespace greybox::test {

using Quantity = Evaluator::Quantity;

// A model with weights, and a LoadedModel of it, with its data or without.
struct EvaluatedModel {
  explicit EvaluatedModel(const std::string& text, bool has_data = true) : made(text, 3) {
    weights = initial_weights(NetworkSet<double>(*made.model).tensors(), 7);
    loaded = {made.spec, made.model, made.plan, has_data ? made.data : nullptr};
  }

  Evaluator evaluator(std::optional<std::size_t> window = {}) const {
    return make_evaluator(loaded, weights, theta, window);
  }

  MadeModel made;
  LoadedModel loaded;
  std::vector<double> weights, theta = {0.7, 0.3};
};

inline std::vector<double> at_point(Evaluator& f, Quantity of, double t, std::span<const double> state) {
  std::vector<double> out(f.size(of));
  f.evaluate(of, t, state, out);
  return out;
}

}  // namespace greybox::test
