// L + λR from the engine's sums: what each sample and term counts for.
#include "model/objective.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "model/fixture.hpp"

namespace greybox::test {
namespace {

// The toy at five samples, each with its own θ.
class ObjectiveOf : public ::testing::Test {
 protected:
  static constexpr std::size_t kSamples = 5;

  ObjectiveOf() {
    for (std::size_t i = 0; i < kSamples; ++i) {
      windows_.push_back(2 * i);
      theta_.insert(theta_.end(), {0.3 + 0.2 * static_cast<double>(i), -0.5 + 0.4 * static_cast<double>(i)});
    }
    engine_.set_weights(fixture_.weights);
    engine_.forward(samples());
  }
  Samples<double> samples() const { return {&fixture_.loaded.data->windows(), windows_, theta_}; }
  std::size_t place(const std::string& name) const {
    std::size_t r = 0;
    while (fixture_.loaded.model->regularizers.at(r).name != name) ++r;
    return r;
  }
  Objective<double> objective(const ObjectiveOptions& options) const {
    return {fixture_.loaded.model, options, kSamples};
  }
  double mean_squared_error(std::size_t n) const {
    double sum = 0, n_compared = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += engine_.squared_errors()[i];
      n_compared += engine_.n_compared()[i];
    }
    return sum / n_compared;
  }

  Fixture fixture_{"toy"};
  ThreadPool pool_{1};
  std::vector<std::size_t> windows_;
  std::vector<double> theta_;
  Engine<double> engine_{fixture_.loaded.plan, fixture_.loaded.data->windows(), pool_,
                         EngineOptions{.capacity = kSamples, .is_differentiable = true}};
};

TEST_F(ObjectiveOf, AddsLossAndRegularizerByTheirWeights) {
  Objective<double> both = objective({.loss_weight = 2, .lambda = 0.5, .regularizer = place("normD")});
  const auto values = both.evaluate(engine_, {kSamples, kSamples});
  EXPECT_NEAR(values.loss, mean_squared_error(kSamples), 1e-14);
  EXPECT_GT(values.regularizer, 0);
  EXPECT_NEAR(values.total, 2 * values.loss + 0.5 * values.regularizer, 1e-14);
  both.weigh({.loss = 0, .regularizer = 3});
  EXPECT_NEAR(both.evaluate(engine_, {kSamples, kSamples}).total, 3 * values.regularizer, 1e-14);
}

TEST_F(ObjectiveOf, WithoutRegularizerIsTheLoss) {
  Objective<double> loss = objective({.lambda = 5, .regularizer = {}});
  const auto values = loss.evaluate(engine_, {kSamples, kSamples});
  EXPECT_EQ(values.regularizer, 0);
  EXPECT_EQ(values.total, values.loss);
}

TEST_F(ObjectiveOf, PartsRunOverTheirOwnSamples) {
  Objective<double> both = objective({.lambda = 1, .regularizer = place("normD")});
  const auto all = both.evaluate(engine_, {kSamples, kSamples}), first = both.evaluate(engine_, {2, 2}),
             mixed = both.evaluate(engine_, {2, kSamples});
  EXPECT_NEAR(first.loss, mean_squared_error(2), 1e-14);
  EXPECT_EQ(mixed.loss, first.loss);
  EXPECT_EQ(mixed.regularizer, all.regularizer);
  EXPECT_NE(first.regularizer, all.regularizer);
  const Cotangents<double>& cotangents = both.cotangents(engine_, {2, kSamples});
  EXPECT_NE(cotangents.loss[1], 0);
  EXPECT_EQ(cotangents.loss[2], 0) << "without known answers";
}

TEST_F(ObjectiveOf, NoSampleForTheLossMakesNone) {
  Objective<double> both = objective({.lambda = 1, .regularizer = place("normD")});
  const auto values = both.evaluate(engine_, {0, kSamples});
  EXPECT_EQ(values.loss, 0);
  EXPECT_EQ(both.cotangents(engine_, {0, kSamples}).loss[0], 0);
}

// Through the engine, of θ of every sample: R mixes the samples by way of its means.
TEST_F(ObjectiveOf, HasTheGradientOfFiniteDifferences) {
  for (const char* name : {"normD", "corr"}) {
    Objective<double> both = objective({.loss_weight = 0.7, .lambda = 0.3, .regularizer = place(name)});
    const ObjectiveRanges ranges{3, kSamples};
    const auto total = [&] {
      engine_.forward(samples());
      return both.evaluate(engine_, ranges).total;
    };
    total();
    std::vector<double> gradient(theta_.size());
    engine_.backward(samples(), both.cotangents(engine_, ranges), {}, gradient);
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const double middle = theta_[i], step = 1e-5;
      theta_[i] = middle + step;
      const double above = total();
      theta_[i] = middle - step;
      const double slope = (above - total()) / (2 * step);
      theta_[i] = middle;
      EXPECT_NEAR(gradient[i], slope, 1e-6 * std::max(1e-2, std::abs(slope))) << name << ' ' << i;
    }
  }
}

TEST_F(ObjectiveOf, RefusesRangesBeyondTheBatch) {
  Objective<double> both = objective({});
  EXPECT_THROW(both.evaluate(engine_, {kSamples + 1, 0}), std::logic_error);
  EXPECT_THROW(both.evaluate(engine_, {0, kSamples + 1}), std::logic_error);
  Objective<double> small(fixture_.loaded.model, {}, kSamples - 1);
  EXPECT_THROW(small.evaluate(engine_, {1, 1}), std::logic_error);
}

}  // namespace
}  // namespace greybox::test
