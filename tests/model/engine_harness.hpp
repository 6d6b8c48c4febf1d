// The gradients of a whole model: its objective on one batch, through the engine, against finite differences.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "model/draws.hpp"
#include "model/engine.hpp"
#include "model/made_model.hpp"
#include "model/objective.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {

// J(weights, θ, latents that adapt) of one batch, and its gradients.
class EngineHarness {
 public:
  EngineHarness(const std::string& model_text, std::size_t n_samples, std::size_t n_threads,
                std::size_t memory_limit, Communicator* others = nullptr)
      : made_(model_text, n_samples),
        pool_(n_threads, others),
        engine_(made_.plan, made_.data->windows(), pool_,
                {.capacity = n_samples, .is_differentiable = true, .memory_limit = memory_limit}),
        windows_(made_.data->all()),
        objective_(made_.model,
                   {1, 0.3, made_.model->regularizers.empty() ? std::nullopt : std::optional<std::size_t>(0)},
                   n_samples) {
    weights = initial_weights(engine_.networks().tensors(), 5);
    for (std::size_t i = 0; i < n_samples; ++i)
      for (double value : {0.4 + 0.05 * static_cast<double>(i % 11), 0.2 + 0.03 * static_cast<double>(i % 7)})
        theta.push_back(value);
    draws.resize(n_samples * made_.model->draws.size());
    fill_draws<double>(*made_.model, Random(3, Purpose::latents), 0, draws);
    for (std::size_t i = 0; i < draws.size(); ++i)
      if (made_.model->draws[i % made_.model->draws.size()] == Draw::adapted) {
        adapted_.push_back(i);
        adapted.push_back(0.3 * std::sin(static_cast<double>(i)));
      }
  }

  double objective() {
    for (std::size_t i = 0; i < adapted.size(); ++i) draws[adapted_[i]] = adapted[i];
    engine_.set_weights(weights);
    engine_.forward(samples());
    return objective_.evaluate(engine_, ranges()).total;
  }

  // Without the weights the gradient of θ must be the same.
  void differentiate(bool with_weights = true) {
    objective();
    grad_weights.assign(with_weights ? weights.size() : 0, 0);
    grad_theta.assign(theta.size(), 0);
    std::vector<double> grad_draws(draws.size(), 1e300);
    engine_.backward(samples(), objective_.cotangents(engine_, ranges()), grad_weights, grad_theta,
                     grad_draws);
    grad_adapted.clear();
    for (std::size_t i = 0; i < adapted.size(); ++i) grad_adapted.push_back(grad_draws[adapted_[i]]);
  }

  double noise_gradient(std::size_t observed) const { return engine_.noise_gradient(observed); }
  std::span<const Outcome> outcomes() const { return engine_.outcomes(); }

  std::vector<double> weights, theta, draws, grad_weights, grad_theta;
  // Of the draws those that adapt.
  std::vector<double> adapted, grad_adapted;
  bool is_generated = false;

 private:
  Samples<double> samples() const { return {&made_.data->windows(), windows_, theta, draws, is_generated}; }
  ObjectiveRanges ranges() const { return {windows_.size(), windows_.size()}; }
  MadeModel made_;
  ThreadPool pool_;
  Engine<double> engine_;
  std::vector<std::size_t> windows_, adapted_;
  Objective<double> objective_;
};

// The same bits, whatever the number of threads.
inline void expect_same_on_threads(const std::string& model_text) {
  EngineHarness one(model_text, 70, 1, std::size_t{1} << 30), three(model_text, 70, 3, std::size_t{1} << 30);
  EXPECT_EQ(one.objective(), three.objective());
  one.differentiate();
  three.differentiate();
  EXPECT_EQ(one.grad_weights, three.grad_weights);
  EXPECT_EQ(one.grad_theta, three.grad_theta);
  EXPECT_EQ(one.grad_adapted, three.grad_adapted);
}

inline void expect_model_gradients(const std::string& model_text, double tolerance = 2e-7,
                                   std::initializer_list<std::size_t> sizes = {1, 3, 7, 17}) {
  SCOPED_TRACE(model_text);
  for (std::size_t n : sizes)
    for (std::size_t memory_limit : {std::size_t{1} << 30, std::size_t{0}}) {
      EngineHarness harness(model_text, n, 1, memory_limit);
      harness.differentiate(false);
      const std::vector<double> grad_theta_alone = harness.grad_theta;
      harness.differentiate();
      EXPECT_EQ(harness.grad_theta, grad_theta_alone);
      const std::vector<double> grad_weights = harness.grad_weights, grad_theta = harness.grad_theta,
                                grad_adapted = harness.grad_adapted;
      const auto f = [&] { return harness.objective(); };
      const std::string what = std::to_string(n) + " samples";
      expect_gradient(what + ", θ", harness.theta, grad_theta, f, tolerance);
      expect_gradient(what + ", weights", harness.weights, grad_weights, f, tolerance);
      expect_gradient(what + ", latents that adapt", harness.adapted, grad_adapted, f, tolerance);
      if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace greybox::test
