// A training step that met a non-finite number: the facts, and the sentence that is made from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.hpp"

namespace greybox {

enum class NonFiniteValue : std::uint8_t {
  state,         // of a trajectory, after `time`
  solver_steps,  // no state: the solver needed too many steps after `time`
  prediction,
  far_prediction,    // finite, and out of all proportion to the data
  regularizer_term,  // of one sample
  regularizer,       // of the whole batch
  gradient,          // of the whole batch
};

// A prediction that is off by more than so many times the range of the data counts as non-finite, and a state
// has run away when it is so many times what it began with.
inline constexpr double kFarOff = 1e6;

struct NonFinite {
  NonFiniteValue value = NonFiniteValue::gradient;
  // Of the sample; of the batch's first where the value is that of the batch.
  std::size_t window = 0;
  std::vector<std::pair<std::string, double>> theta;
  double time = kNaN;
};

enum class DivergenceKind : std::uint8_t {
  initial,  // a state that is not finite to begin with
  domain,   // a function of a number that it has no value for
  coarse,   // a step too long for the equations
  runaway,  // a state that grows without end, however short the steps
};

// Where a trajectory went wrong first.
struct DivergenceSite {
  DivergenceKind kind = DivergenceKind::runaway;
  // Which equation, state and value, and when.
  std::string sentence;
  // Of `domain`: how to keep the function to what it has a value for.
  std::string remedy{};
  // Of `coarse`: a step with which it stays finite.
  double finer_step = 0;
  // Whether the theory without any network diverges too; none where there is no network.
  std::optional<bool> is_theory_alone{};
};

// What a cure depends on.
struct SolverFacts {
  // A method that chooses its steps; `max_steps` is its limit.
  bool is_adaptive = false;
  // And one for stiff equations.
  bool is_implicit = false;
  // An algebraic model has none.
  bool has_solver = true;
  std::size_t max_steps = 0;
};

struct Divergence {
  // From 1, as people count.
  std::size_t epoch = 0, step = 0;
  std::size_t n_steps = 0;
  NonFinite cause;
  bool is_of_estimator = false;
  // Nothing has been learned yet.
  bool is_before_first_update = false;
  std::optional<DivergenceSite> site{};
  SolverFacts solver{};
};

// "window 3 at a = 1.2: the state became non-finite after t = 0.5".
std::string to_sentence(const NonFinite& cause);
// The cause and what may help, of a step that was learned from in another way.
std::string to_sentence_of_redrawn(const Divergence& divergence);
// Where in the training it happened, the cause, and what may help.
std::string to_sentence(const Divergence& divergence);

}  // namespace greybox
