// Samples that leave the finite numbers, and their neighbours.
#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.hpp"
#include "ode/problems.hpp"

namespace greybox::test {
namespace {

// s' = s² on a scalar and a field of two points; d/ds = 2 s.
class BlowUp : public RightHandSide<double> {
 public:
  BlowUp(const StateLayout& layout, std::size_t n_samples)
      : weights_after_stop(n_samples), layout_(layout), n_samples_(n_samples) {}

  void evaluate(const EvaluationPoint<double>& at, const double* state, double* derivative) override {
    for_each([&](std::size_t i, std::size_t v) {
      derivative[v] = state[v] * state[v];
      n_unusable_states += at.weight[i] == 0 && !std::isfinite(state[v]);
      if (at.time[i] > stop_time) weights_after_stop[i] += at.weight[i];
    });
  }
  void adjoint(const EvaluationPoint<double>& at, const double* state, const double* grad_derivative,
               double* grad_state) override {
    for_each([&](std::size_t i, std::size_t v) {
      grad_state[v] = 2 * state[v] * grad_derivative[v];
      is_grad_finite = is_grad_finite && std::isfinite(grad_derivative[v]);
      weight_backward[i] += at.weight[i];
    });
  }
  void linearize(const EvaluationPoint<double>&, const double* state, StateRows<double>& jacobian) override {
    linearize_by_rows(layout_, n_samples_, jacobian, [&](const double* unit, double* row) {
      for_each([&](std::size_t, std::size_t v) { row[v] = 2 * state[v] * unit[v]; });
    });
  }

  double stop_time = 1e300;
  std::vector<double> weights_after_stop;
  std::vector<double> weight_backward = std::vector<double>(8);
  std::size_t n_unusable_states = 0;  // among evaluations that do not count
  bool is_grad_finite = true;

 private:
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t c = 0; c < layout_.n_components(); ++c) {
      const std::size_t width = layout_.width(c);
      for (std::size_t j = 0; j < n_samples_ * width; ++j) visit(j / width, layout_.offset(c) + j);
    }
  }
  StateLayout layout_;
  std::size_t n_samples_;
};

struct Batch {
  Batch(const Tableau& tableau, Keep keep, const std::vector<double>& starts)
      : run({.tableau = &tableau, .step = 0.05, .keep = keep}, {1, 2}, starts.size(), starts.size(), 5),
        rhs(run.layout, starts.size()),
        grad_outputs(run.outputs.size()),
        grad_initial(run.layout.size()) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      run.set_initial(i, {starts[i], 0.1, 0.5 * starts[i]});
      for (std::size_t k = 0; k < 5; ++k) run.time(k, i) = 0.5 * static_cast<double>(k);
    }
    run.plan(rhs);
    run.forward(rhs);
  }
  std::vector<double> gradient_of(std::size_t sample) {
    for (std::size_t at = 0; at < grad_outputs.size(); ++at)
      grad_outputs[at] = std::isnan(run.outputs[at]) ? kNaN : 1;
    run.integrator.backward(grad_outputs.data(), rhs, grad_initial.data());
    std::vector<double> gradient;
    gather(run.layout, sample, grad_initial.data(), gradient);
    return gradient;
  }
  Trajectories<double> run;
  BlowUp rhs;
  AlignedBuffer<double> grad_outputs, grad_initial;
};

TEST(Divergence, StopsTheSampleAndSaysWhere) {
  for (const Tableau& tableau : tableaux()) {
    Batch batch(tableau, Keep::nothing, {0.2, 1.5, 0.3});
    const auto& integrator = batch.run.integrator;
    EXPECT_EQ(integrator.outcomes()[0], Outcome::finished) << tableau.name;
    EXPECT_EQ(integrator.outcomes()[1], Outcome::diverged) << tableau.name;
    EXPECT_EQ(integrator.outcomes()[2], Outcome::finished) << tableau.name;
    EXPECT_EQ(integrator.stopped_at()[0], 2) << tableau.name;
    EXPECT_GT(integrator.stopped_at()[1], 0.6) << tableau.name;
    EXPECT_LT(integrator.stopped_at()[1], 1.6) << tableau.name;
    EXPECT_TRUE(std::isfinite(batch.run.output(1, 1)[0])) << tableau.name;
    for (const double value : batch.run.output(4, 1)) EXPECT_TRUE(std::isnan(value)) << tableau.name;
    EXPECT_TRUE(std::isnan(integrator.total_weights()[1])) << tableau.name;
    EXPECT_TRUE(std::isfinite(integrator.total_weights()[2])) << tableau.name;

    batch.rhs.stop_time = integrator.stopped_at()[1] + 0.05;
    batch.run.forward(batch.rhs);
    EXPECT_EQ(batch.rhs.weights_after_stop[1], 0) << tableau.name;
    EXPECT_GT(batch.rhs.weights_after_stop[0], 0) << tableau.name;
  }
}

TEST(Divergence, LeavesNeighboursAlone) {
  for (const Tableau& tableau : tableaux()) {
    for (const Keep keep : {Keep::everything, Keep::step_states}) {
      Batch mixed(tableau, keep, {0.2, 1.5, 0.3, kNaN}), sound(tableau, keep, {0.2, 0.1, 0.3, 0.25});
      for (const std::size_t i : {0u, 2u}) {
        for (std::size_t k = 1; k < 5; ++k) EXPECT_EQ(mixed.run.output(k, i), sound.run.output(k, i));
        EXPECT_EQ(mixed.gradient_of(i), sound.gradient_of(i)) << tableau.name;
      }
    }
  }
}

TEST(Divergence, GradientOfAStoppedSampleIsZero) {
  for (const Tableau& tableau : tableaux()) {
    for (const Keep keep : {Keep::everything, Keep::step_states}) {
      Batch batch(tableau, keep, {0.2, 1.5, kNaN});
      EXPECT_EQ(batch.gradient_of(1), std::vector<double>(3, 0.0)) << tableau.name;
      EXPECT_EQ(batch.gradient_of(2), std::vector<double>(3, 0.0)) << tableau.name;
      EXPECT_TRUE(batch.rhs.is_grad_finite) << tableau.name;
      EXPECT_EQ(batch.rhs.weight_backward[1], 0) << tableau.name;
      EXPECT_GT(batch.rhs.weight_backward[0], 0) << tableau.name;
    }
  }
}

TEST(Divergence, StoppedSampleIsHeldAtAFiniteState) {
  for (const Tableau& tableau : tableaux()) {
    Batch batch(tableau, Keep::nothing, {0.2, 1.5, kNaN});
    batch.rhs.n_unusable_states = 0;  // trial steps under error control do not matter
    batch.run.forward(batch.rhs);
    EXPECT_EQ(batch.rhs.n_unusable_states, 0u) << tableau.name;
  }
}

TEST(Divergence, InitialStateThatIsNotFiniteStopsAtTheStart) {
  for (const Tableau& tableau : tableaux()) {
    Batch batch(tableau, Keep::nothing, {kNaN, 0.2});
    EXPECT_EQ(batch.run.integrator.outcomes()[0], Outcome::diverged) << tableau.name;
    EXPECT_EQ(batch.run.integrator.stopped_at()[0], 0) << tableau.name;
    EXPECT_TRUE(std::isnan(batch.run.output(1, 0)[1])) << tableau.name;
    EXPECT_EQ(batch.run.integrator.outcomes()[1], Outcome::finished) << tableau.name;
  }
}

TEST(Divergence, IsForgottenByTheNextForward) {
  Batch batch(*find_tableau("rk4"), Keep::nothing, {1.5, 0.2});
  ASSERT_EQ(batch.run.integrator.outcomes()[0], Outcome::diverged);
  batch.run.set_initial(0, {0.2, 0.1, 0.1});
  batch.run.forward(batch.rhs);
  EXPECT_EQ(batch.run.integrator.outcomes()[0], Outcome::finished);
  EXPECT_EQ(batch.run.output(4, 0), batch.run.output(4, 1));
}

}  // namespace
}  // namespace greybox::test
