// What holds for the whole: a sample does not depend on its neighbours, and steady use allocates nothing.
#include "ode/integrator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ode/problems.hpp"
#include "support/allocation_count.hpp"

namespace greybox::test {
namespace {

// Two coupled scalars and a field of 11 points, different for every `kind` of sample; adjoint by hand.
class Oscillators : public RightHandSide<float> {
 public:
  static std::vector<std::size_t> widths() { return {1, 1, 11}; }
  Oscillators(const StateLayout& layout, std::vector<std::size_t> kinds)
      : layout_(layout), kinds_(std::move(kinds)) {}

  void evaluate(const EvaluationPoint<float>& at, const float* s, float* ds) override {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const std::size_t x = layout_.offset(0) + i, v = layout_.offset(1) + i, u = layout_.offset(2) + 11 * i;
      ds[x] = s[v];
      ds[v] = -speed(i) * std::sin(s[x]) + std::cos(at.time[i]);
      for (std::size_t p = u; p < u + 11; ++p) ds[p] = speed(i) * (s[x] - s[p]);
    }
  }
  void adjoint(const EvaluationPoint<float>&, const float* s, const float* g, float* gs) override {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const std::size_t x = layout_.offset(0) + i, v = layout_.offset(1) + i, u = layout_.offset(2) + 11 * i;
      gs[x] = -g[v] * speed(i) * std::cos(s[x]);
      gs[v] = g[x];
      for (std::size_t p = u; p < u + 11; ++p) gs[x] += speed(i) * g[p], gs[p] = -speed(i) * g[p];
    }
  }
  void linearize(const EvaluationPoint<float>& at, const float* s, StateRows<float>& jacobian) override {
    std::array<float, 2048> unit;
    ASSERT_LE(layout_.size(), unit.size());
    for (std::size_t row = 0; row < 13; ++row) {
      unit.fill(0);
      for (std::size_t i = 0; i < kinds_.size(); ++i)
        unit[row < 2 ? layout_.offset(row) + i : layout_.offset(2) + 11 * i + row - 2] = 1;
      adjoint(at, s, unit.data(), jacobian[row]);
    }
  }

 private:
  float speed(std::size_t sample) const { return 0.5f + 1.7f * static_cast<float>(kinds_[sample]); }
  StateLayout layout_;
  std::vector<std::size_t> kinds_;
};

// A batch whose samples are of the given kinds: kind alone decides times, initial state and dynamics.
struct OscillatorRun {
  OscillatorRun(const Tableau& tableau, Keep keep, const std::vector<std::size_t>& kinds)
      : run({.tableau = &tableau, .step = 0.07, .relative_tolerance = 1e-5, .keep = keep},
            Oscillators::widths(), kinds.size(), 20, 6),
        rhs(run.layout, kinds),
        grad_outputs(run.outputs.size()),
        grad_initial(run.layout.size()) {
    grad_outputs.fill(1);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const float kind = static_cast<float>(kinds[i]);
      std::vector<float> state(13, 0.1f * kind);
      state[0] = 1 + kind;
      run.set_initial(i, state);
      run.counts[i] = kinds[i] % 4 == 1 ? 4 : 6;
      for (std::size_t k = 0; k < 6; ++k)
        run.time(k, i) = 0.2f * kind + static_cast<float>(k * k) * (0.1f + 0.03f * kind);
    }
  }
  void all() {
    run.run(rhs);
    run.integrator.backward(grad_outputs.data(), rhs, grad_initial.data());
  }
  std::vector<float> gradient(std::size_t sample) const {
    std::vector<float> result;
    gather(run.layout, sample, grad_initial.data(), result);
    return result;
  }
  Trajectories<float> run;
  Oscillators rhs;
  AlignedBuffer<float> grad_outputs, grad_initial;
};

TEST(Integrator, SampleDoesNotDependOnItsNeighbours) {
  std::vector<std::size_t> kinds;
  for (std::size_t i = 0; i < 17; ++i) kinds.push_back(i * 5 % 9);
  for (const Tableau& tableau : tableaux()) {
    OscillatorRun together(tableau, Keep::everything, kinds);
    together.all();
    for (std::size_t i = 0; i < kinds.size(); i += 4) {
      OscillatorRun alone(tableau, Keep::everything, {kinds[i]});
      alone.all();
      for (std::size_t k = 1; k < 6; ++k)
        EXPECT_EQ(together.run.output(k, i), alone.run.output(k, 0)) << tableau.name;
      EXPECT_EQ(together.gradient(i), alone.gradient(0)) << tableau.name;
      EXPECT_EQ(together.run.integrator.total_weights()[i], alone.run.integrator.total_weights()[0])
          << tableau.name;
    }
  }
}

TEST(Integrator, SteadyUseAllocatesNothing) {
  for (const Tableau& tableau : tableaux()) {
    for (const Keep keep : {Keep::everything, Keep::step_states}) {
      const std::size_t at_start = n_allocations();
      OscillatorRun run(tableau, keep, {0, 1, 2, 3, 4});
      run.all();
      const std::size_t before = n_allocations();
      ASSERT_GT(before, at_start);
      run.all();
      EXPECT_EQ(n_allocations(), before) << tableau.name;
    }
  }
}

TEST(Integrator, KeepingNothingNeedsOneSlot) {
  OscillatorRun run(*find_tableau("rk4"), Keep::nothing, {0, 1, 2});
  run.run.run(run.rhs);
  EXPECT_EQ(run.run.integrator.n_slots(), 1u);
}

}  // namespace
}  // namespace greybox::test
