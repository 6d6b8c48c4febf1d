// Stiff problems against scipy's Radau and against CVODES (tests/fixtures/make_stiff_references.py,
// make_cvodes_references.c), forward and in their derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "ode/problems.hpp"
#include "support/gradient_check.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

using Reference = std::map<double, std::map<std::size_t, double>>;  // time, entry

Reference reference_of(const std::string& problem, const std::string& name = "stiff_references.csv") {
  std::ifstream file(std::string(kSourceFolder) + "/tests/fixtures/" + name);
  EXPECT_TRUE(file) << "the fixture is missing";
  Reference reference;
  std::string line, cell;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::getline(cells, cell, ',');
    if (cell != problem) continue;
    double time = 0, entry = 0, value = 0;
    char comma = 0;
    cells >> time >> comma >> entry >> comma >> value;
    reference[time][static_cast<std::size_t>(entry)] = value;
  }
  return reference;
}

void robertson(double k1, double k2, double k3, const std::vector<double>& y, std::vector<double>& dy) {
  dy[0] = -k1 * y[0] + k3 * y[1] * y[2];
  dy[2] = k2 * y[1] * y[1];
  dy[1] = -dy[0] - dy[2];
}

void oregonator(const std::vector<double>& y, std::vector<double>& dy) {
  const double s = 77.27, w = 0.161, q = 8.375e-6;
  dy[0] = s * (y[1] + y[0] * (1 - q * y[0] - y[1]));
  dy[1] = (y[2] - (1 + y[0]) * y[1]) / s;
  dy[2] = w * (y[0] - y[2]);
}

void hires(const std::vector<double>& y, std::vector<double>& dy) {
  dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  dy[1] = 1.71 * y[0] - 8.75 * y[1];
  dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  dy[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
  dy[6] = 280 * y[5] * y[7] - 1.81 * y[6];
  dy[7] = -dy[6];
}

struct Problem {
  std::string name;
  std::vector<double> start;
  // What one unit of an error is, beside the reference's own size.
  double scale;
  std::function<void(const std::vector<double>&, std::vector<double>&)> f;
};

std::vector<Problem> problems() {
  return {{"robertson", {1, 0, 0}, 1e-7, [](const auto& y, auto& dy) { robertson(0.04, 3e7, 1e4, y, dy); }},
          {"oregonator", {1, 2, 3}, 1e-3, oregonator},
          {"hires", {1, 0, 0, 0, 0, 0, 0, 0.0057}, 1e-4, hires}};
}

// The largest error in units of the solution, and the work that it took.
struct Accuracy {
  double error = 0;
  std::size_t n_steps = 0;
};

Accuracy accuracy_of(const Problem& problem, const char* method, double tolerance,
                     const Reference& reference) {
  Trajectories<double> run({.tableau = find_tableau(method),
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance * problem.scale},
                           std::vector<std::size_t>(problem.start.size(), 1), 1, 1, reference.size() + 1);
  std::size_t k = 0;
  for (const auto& [time, values] : reference) run.time(++k, 0) = time;
  run.set_initial(0, problem.start);
  PerSample<double> rhs(run.layout, 1,
                        [&](std::size_t, double, const auto& y, auto& dy) { problem.f(y, dy); });
  run.run(rhs);
  EXPECT_EQ(run.integrator.outcomes()[0], Outcome::finished) << problem.name << ' ' << method;
  Accuracy accuracy{.n_steps = run.integrator.n_steps()};
  k = 0;
  for (const auto& [time, values] : reference) {
    const auto state = run.output(++k, 0);
    for (std::size_t j = 0; j < state.size(); ++j)
      accuracy.error = std::max(accuracy.error,
                                std::abs(state[j] - values.at(j)) / (problem.scale + std::abs(values.at(j))));
  }
  return accuracy;
}

TEST(Stiff, SolutionsAreThoseOfRadau) {
  for (const Problem& problem : problems())
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const Accuracy accuracy = accuracy_of(problem, "kvaerno5", tolerance, reference_of(problem.name));
      EXPECT_LT(accuracy.error, 300 * tolerance) << problem.name << ' ' << tolerance;
      EXPECT_LT(accuracy.n_steps, tolerance > 1e-6 ? 700u : 4000u) << problem.name << ' ' << tolerance;
      RecordProperty(problem.name + "_error", std::to_string(accuracy.error));
    }
  for (const Problem& problem : problems())
    EXPECT_LT(accuracy_of(problem, "kvaerno3", 1e-6, reference_of(problem.name)).error, 1e-3) << problem.name;
}

TEST(Stiff, SolutionsAreThoseOfCvodes) {
  for (const Problem& problem : problems()) {
    const Reference reference = reference_of(problem.name, "cvodes_references.csv");
    EXPECT_EQ(reference.size(), 5u) << problem.name;
    EXPECT_LT(accuracy_of(problem, "kvaerno5", 1e-8, reference).error, 3e-6) << problem.name;
  }
}

// Robertson's reaction with rates of its own for every sample; ∂/∂ log k, which are of like size.
class Robertsons : public RightHandSide<double> {
 public:
  Robertsons(const StateLayout& layout, std::size_t n_samples)
      : log_rates(3 * n_samples), grad_log_rates(3 * n_samples), layout_(layout), n_samples_(n_samples) {
    for (std::size_t i = 0; i < n_samples; ++i) {
      log_rates[3 * i] = std::log(0.04), log_rates[3 * i + 1] = std::log(3e7);
      log_rates[3 * i + 2] = std::log(1e4);
    }
  }

  void evaluate(const EvaluationPoint<double>&, const double* state, double* derivative) override {
    std::vector<double> y, dy(3);
    for (std::size_t i = 0; i < n_samples_; ++i) {
      gather(layout_, i, state, y);
      robertson(rate(i, 0), rate(i, 1), rate(i, 2), y, dy);
      scatter(layout_, i, dy, derivative);
    }
  }
  void adjoint(const EvaluationPoint<double>&, const double* state, const double* grad_derivative,
               double* grad_state) override {
    std::vector<double> y, g;
    for (std::size_t i = 0; i < n_samples_; ++i) {
      gather(layout_, i, state, y);
      gather(layout_, i, grad_derivative, g);
      scatter(layout_, i, pull_back(i, y, g), grad_state);
      grad_log_rates[3 * i] += rate(i, 0) * y[0] * (g[1] - g[0]);
      grad_log_rates[3 * i + 1] += rate(i, 1) * y[1] * y[1] * (g[2] - g[1]);
      grad_log_rates[3 * i + 2] += rate(i, 2) * y[1] * y[2] * (g[0] - g[1]);
    }
  }
  void linearize(const EvaluationPoint<double>&, const double* state, StateRows<double>& jacobian) override {
    linearize_by_rows(layout_, n_samples_, jacobian, [&](const double* unit, double* row) {
      std::vector<double> y, g;
      for (std::size_t i = 0; i < n_samples_; ++i) {
        gather(layout_, i, state, y);
        gather(layout_, i, unit, g);
        scatter(layout_, i, pull_back(i, y, g), row);
      }
    });
  }

  std::vector<double> log_rates, grad_log_rates;

 private:
  double rate(std::size_t sample, std::size_t which) const { return std::exp(log_rates[3 * sample + which]); }
  std::vector<double> pull_back(std::size_t i, const std::vector<double>& y, const std::vector<double>& g) {
    const double k1 = rate(i, 0), k2 = rate(i, 1), k3 = rate(i, 2);
    return {k1 * (g[1] - g[0]), k3 * y[2] * (g[0] - g[1]) + 2 * k2 * y[1] * (g[2] - g[1]),
            k3 * y[1] * (g[0] - g[1])};
  }
  StateLayout layout_;
  std::size_t n_samples_;
};

struct RobertsonRun {
  RobertsonRun(const char* method, double tolerance, Keep keep, std::size_t n_samples,
               std::vector<double> times, std::size_t most_slots = std::size_t(-1))
      : run({.tableau = find_tableau(method),
             .relative_tolerance = tolerance,
             .absolute_tolerance = tolerance,
             .scales = {1, 1e-5, 1},
             .keep = keep,
             .most_slots = most_slots},
            {1, 1, 1}, n_samples, n_samples + 1, times.size() + 1),
        rhs(run.layout, n_samples),
        grad_outputs(run.outputs.size()),
        grad_initial(run.layout.size()) {
    for (std::size_t i = 0; i < n_samples; ++i) {
      run.set_initial(i, {1, 0, 0.1 * static_cast<double>(i)});
      for (std::size_t k = 0; k < times.size(); ++k) run.time(k + 1, i) = times[k];
    }
  }
  // Of entry `entry` of every sample at the last time.
  void differentiate(std::size_t entry) {
    run.run(rhs);
    std::ranges::fill(rhs.grad_log_rates, 0.0);
    grad_outputs.fill(0);
    double* last = grad_outputs.data() + (run.n_times - 2) * run.layout.size();
    for (std::size_t i = 0; i < run.n_samples; ++i) last[run.layout.offset(entry) + i] = 1;
    run.integrator.backward(grad_outputs.data(), rhs, grad_initial.data());
  }
  Trajectories<double> run;
  Robertsons rhs;
  AlignedBuffer<double> grad_outputs, grad_initial;
};

TEST(Stiff, GradientsAreThoseOfTheVariationalEquation) {
  const Reference reference = reference_of("robertson");
  const double rates[] = {0.04, 3e7, 1e4};
  for (const double end : {4.0, 400.0})
    for (std::size_t entry = 0; entry < 3; ++entry) {
      RobertsonRun robertson("kvaerno5", 1e-10, Keep::everything, 1, {end});
      robertson.differentiate(entry);
      for (std::size_t p = 0; p < 3; ++p) {
        const double expected = rates[p] * reference.at(end).at(3 + 3 * p + entry);
        EXPECT_NEAR(robertson.rhs.grad_log_rates[p], expected, 1e-7 * std::abs(expected))
            << "entry " << entry << " at " << end << " by rate " << p;
      }
    }
}

TEST(Stiff, GradientsAreThoseOfTheAdjointOfCvodes) {
  const Reference reference = reference_of("robertson", "cvodes_references.csv");
  for (const double end : {4.0, 400.0})
    for (std::size_t entry = 0; entry < 3; ++entry) {
      RobertsonRun robertson("kvaerno5", 1e-10, Keep::everything, 1, {end});
      robertson.differentiate(entry);
      for (std::size_t p = 0; p < 3; ++p) {
        const double expected = reference.at(end).at(3 + 3 * p + entry);
        EXPECT_NEAR(robertson.rhs.grad_log_rates[p], expected, 1e-6 * std::abs(expected))
            << "entry " << entry << " at " << end << " by rate " << p;
      }
    }
}

// Under the same plan, whatever the tolerance of the steps.
TEST(Stiff, AdjointIsExact) {
  for (const char* method : {"kvaerno3", "kvaerno5"})
    for (const double tolerance : {1e-3, 1e-6})
      for (std::size_t entry : {0u, 2u}) {
        RobertsonRun robertson(method, tolerance, Keep::everything, 3, {0.3, 40});
        robertson.differentiate(entry);
        const auto value = [&] {
          robertson.run.forward(robertson.rhs);
          double sum = 0;
          for (std::size_t i = 0; i < 3; ++i) sum += robertson.run.output(2, i)[entry];
          return sum;
        };
        expect_gradient(method, robertson.rhs.log_rates, robertson.rhs.grad_log_rates, value, 1e-8, 1e-5);
      }
}

// Samples from harmless to stiff: each as it is alone, to the last bit.
TEST(Stiff, SamplesOfDifferentStiffnessDoNotMeet) {
  const auto set = [](Robertsons& rhs, std::size_t sample, std::size_t kind) {
    rhs.log_rates[3 * sample + 1] = std::log(std::pow(10, 1 + 2 * static_cast<double>(kind)));
    rhs.log_rates[3 * sample + 2] = std::log(std::pow(10, static_cast<double>(kind)));
  };
  RobertsonRun together("kvaerno5", 1e-6, Keep::everything, 5, {1, 40});
  for (std::size_t i = 0; i < 5; ++i) {
    set(together.rhs, i, i);
    together.run.set_initial(i, {1, 0, 0.2});
  }
  together.differentiate(0);
  for (std::size_t i = 0; i < 5; ++i) {
    RobertsonRun alone("kvaerno5", 1e-6, Keep::everything, 1, {1, 40});
    set(alone.rhs, 0, i);
    alone.run.set_initial(0, {1, 0, 0.2});
    alone.differentiate(0);
    EXPECT_EQ(together.run.output(2, i), alone.run.output(2, 0)) << i;
    for (std::size_t p = 0; p < 3; ++p)
      EXPECT_EQ(together.rhs.grad_log_rates[3 * i + p], alone.rhs.grad_log_rates[p]) << i;
  }
}

TEST(Stiff, TooManySlotsAreMadeAnewOnTheWayBack) {
  RobertsonRun all("kvaerno5", 1e-6, Keep::everything, 2, {40}),
      few("kvaerno5", 1e-6, Keep::everything, 2, {40}, 70);
  all.differentiate(0);
  few.differentiate(0);
  EXPECT_GT(all.run.integrator.n_slots(), 70u);
  EXPECT_EQ(few.run.integrator.n_slots(), 7u);
  EXPECT_EQ(all.rhs.grad_log_rates, few.rhs.grad_log_rates);
}

}  // namespace
}  // namespace greybox::test
