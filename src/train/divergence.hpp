// A training step that met a non-finite number: the facts, and the sentence that is made from them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.hpp"

namespace greybox {

enum class NonFiniteValue : std::uint8_t {
  state,         // of a trajectory, after `time`
  solver_steps,  // no state: the solver needed too many steps after `time`
  prediction,
  regularizer_term,  // of one sample
  regularizer,       // of the whole batch
  gradient,          // of the whole batch
};

struct NonFinite {
  NonFiniteValue value = NonFiniteValue::gradient;
  // Of the sample; of the batch's first where the value is that of the batch.
  std::size_t window = 0;
  std::vector<std::pair<std::string, double>> theta;
  double time = kNaN;
};

struct Divergence {
  // From 1, as people count.
  std::size_t epoch = 0, step = 0;
  std::size_t n_steps = 0;
  NonFinite cause;
  bool is_of_estimator = false;
};

// "window 3 at a = 1.2: the state became non-finite after t = 0.5".
std::string to_sentence(const NonFinite& cause);
// Where in the training it happened, the cause, and what may help.
std::string to_sentence(const Divergence& divergence);

}  // namespace greybox
