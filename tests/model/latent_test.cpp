// Latents, the solution as a whole, values by snapshot, stopped gradients and networks called once more: what
// a physics-integrated variational autoencoder is written with.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/engine_harness.hpp"
#include "model/fixture.hpp"
#include "model/model_texts.hpp"
#include "model/prediction.hpp"

namespace greybox::test {
namespace {

// xp, vp are the theory alone at another number; `observed` and `vector` fit the windows of MadeModel.
std::string autoencoder(const std::string& observe, int n_observed, const std::string& solver = kRungeKutta) {
  return kParameters +
         fmt::format(R"toml(
[state]
x  = "x"
v  = "0.3*w"
xp = "x"
vp = "0"
[network.enc]
inputs = "window"
hidden = [5]
activation = "tanh"
outputs = ["m[2]", "s[2]"]
[network.unmix]
inputs = ["window.x", "z"]
hidden = [4]
activation = "tanh"
outputs = ["r[{0}]"]
[network.h]
inputs = ["clean"]
hidden = [4]
activation = "tanh"
outputs = ["m", "s"]
[define]
clean = "window.x + unmix.r"
again = "h(solution(xp))"
[latent]
z   = {{ mean = "enc.m", sd = "exp(enc.s / 2)", prior_mean = 0.2, prior_sd = 1.5 }}
w   = {{ mean = "softplus(h.m)", sd = "exp(h.s / 2)", prior_mean = 0.5, low = -30, high = 30 }}
any = {{ prior = "uniform", low = 0.3, high = 1.5 }}
[theory]
x  = "v"
v  = "-k*w*x - d*v"
xp = "vp"
vp = "-k*any*xp"
[network.fA]
inputs = ["x", "v", "t", "z"]
hidden = [5]
activation = "tanh"
outputs = ["v"]
[network.fB]
inputs = ["z", "w"]
hidden = [4]
activation = "tanh"
outputs = ["r[{0}]"]
[observe]
x = "{1}"
[regularizers]
all = "0.3*mean(kl(z) + kl(w)) + mean(norm2(solution(x) - solution(xp)) + norm2(fB.r)) + 0.5*mean((softplus(again[0]) - any)^2) + 0.4*mean(norm2(clean - solution(xp*d))) + 0.1*mean(norm2(network)) + 0.1*mean(again[1])"
[train]
regularizer = "all"
)toml",
                     n_observed, observe) +
         solver;
}

TEST(Latents, HaveExactGradients) {
  expect_model_gradients(autoencoder("x + 0.2*again[0]", 2), 5e-7, {1, 3, 7});
  expect_model_gradients(autoencoder("x + at_snapshot(fB.r) + 0.5*at_snapshot(solution(x*xp))", 3), 5e-7,
                         {1, 7});
  expect_model_gradients(autoencoder("x + at_snapshot(clean)", 3, "[solver]\nmethod = \"euler\"\n"), 5e-7,
                         {3});
}

// In the estimator's, the sample's, the evaluation's and the output's equations, beside a latent that is
// drawn.
const std::string kAdapted = kParameters + R"toml(
[latent]
s = { size = 3, adapts = true, prior_mean = 0.1, prior_sd = 0.3 }
b = { adapts = true, low = -9 }
e = { size = 2, prior = "uniform", low = -1, high = 1 }
[state]
x = "x + 0.1*b"
v = "0.3*s[0]*e[0]"
[theory]
x = "v"
v = "-k*x - d*v"
[network.layer]
inputs = ["x", "v", "k", "e"]
hidden = []
outputs = ["z[3]"]
[network.fA]
inputs = ["tanh((1 + s)*layer.z + b)"]
hidden = []
outputs = ["x", "v"]
[observe]
x = "x + 0.2*b*s[1]"
[regularizers]
all = "mean(norm2(network)) + mean(norm2(s) + b*e[1]) + 0.1*mean(norm2(solution(x) - window.x))"
[train]
regularizer = "all"
)toml" + kRungeKutta;

TEST(Latents, ThatAdaptHaveExactGradients) {
  expect_model_gradients(kAdapted, 5e-7, {1, 3, 7, 17});
}

TEST(Latents, ThatAdaptDoNotDependOnThreads) {
  expect_same_on_threads(kAdapted);
}

TEST(Latents, DoNotDependOnThreads) {
  expect_same_on_threads(autoencoder("x + at_snapshot(fB.r) * again[0]", 3));
}

// A latent of one window, read by an algebraic model whose answer it is.
const std::string kDrawn = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
[latent]
z = { mean = "0.4", sd = "0.5", prior_mean = -2, prior_sd = 3, low = -50, high = 50 }
u = { prior = "uniform", low = 2, high = 6 }
[theory]
y = "0"
[regularizers]
all = )toml";

double value_of(const std::string& regularizer, std::size_t n, bool is_drawn, bool is_generated) {
  EngineHarness harness(kDrawn + "\"" + regularizer + "\"\n[train]\nregularizer = \"all\"\n", n, 1,
                        std::size_t{1} << 30);
  if (!is_drawn) harness.draws.clear();
  harness.is_generated = is_generated;
  // L + 0.3 R
  return harness.objective() / 0.3;
}

// What R is, without L.
double mean_of(const std::string& inside, bool is_drawn = true, bool is_generated = false) {
  const std::size_t n = 4000;
  return value_of("mean(" + inside + ")", n, is_drawn, is_generated) -
         value_of("mean(0*k)", n, is_drawn, false);
}

TEST(Latents, AreDrawnFromTheirPosterior) {
  EXPECT_NEAR(mean_of("z"), 0.4, 0.03);
  EXPECT_NEAR(mean_of("(z - 0.4)^2"), 0.25, 0.02);
  EXPECT_NEAR(mean_of("u"), 4, 0.08);
  EXPECT_NEAR(mean_of("(u - 4)^2"), 16.0 / 12, 0.06);
  EXPECT_NEAR(mean_of("(z - 0.4)*(u - 4)"), 0, 0.04);
}

TEST(Latents, AreTheirMeansWhereNothingIsDrawn) {
  EXPECT_NEAR(mean_of("z", false), 0.4, 1e-9);
  EXPECT_NEAR(mean_of("u", false), 4, 1e-9);
}

TEST(Latents, ComeFromTheirPriorsInGeneration) {
  EXPECT_NEAR(mean_of("z", true, true), -2, 0.2);
  EXPECT_NEAR(mean_of("(z + 2)^2", true, true), 9, 0.7);
}

TEST(Latents, ThatAdaptAreTheMeansOfTheirPriorsUntilStepsAreTaken) {
  const auto value_of_z = [](const std::string& latent) {
    EngineHarness harness(
        "[parameters]\nk = { prior = \"uniform\", low = 0.1, high = 2 }\nd = { prior = "
        "\"uniform\", low = 0, high = 1 }\n[latent]\nz = " +
            latent +
            "\n[theory]\ny = \"0\"\n[regularizers]\nall = \"1000*mean(z)\"\n"
            "[train]\nregularizer = \"all\"\n",
        5, 1, std::size_t{1} << 30);
    harness.draws.clear();
    harness.adapted.clear();
    return harness.objective() / 300;
  };
  EXPECT_NEAR(value_of_z("{ adapts = true, prior_mean = 7, prior_sd = 2 }") -
                  value_of_z("{ adapts = true, prior_sd = 2 }"),
              7, 1e-9);
}

TEST(Latents, HaveADivergenceFromTheirPriors) {
  const double expected = std::log(3 / 0.5) + (0.25 + 2.4 * 2.4) / (2 * 9) - 0.5;
  EXPECT_NEAR(mean_of("kl(z)"), expected, 1e-9);
}

// d/dk of mean(stop(k) * k) is mean(k), half of what it is of k².
TEST(Stop, IsAConstantToGradients) {
  const auto gradient = [](const std::string& inside) {
    EngineHarness harness(kDrawn + "\"mean(" + inside + ")\"\n[train]\nregularizer = \"all\"\n", 5, 1,
                          std::size_t{1} << 30);
    harness.differentiate();
    return harness.grad_theta;
  };
  const std::vector<double> stopped = gradient("stop(k) * k"), whole = gradient("k * k");
  for (std::size_t i = 0; i < whole.size(); i += 2) {
    EXPECT_NE(whole[i], 0);
    EXPECT_NEAR(stopped[i], whole[i] / 2, 1e-15);
  }
}

// tests/fixtures/make_autoencoder_fixture.py
TEST(Autoencoder, IsWhatPyTorchSays) {
  const Fixture fixture("forced-pendulum");
  const LoadedModel& loaded = fixture.loaded;
  const std::vector<std::size_t> windows = loaded.data->all();
  const std::size_t n = windows.size(), n_draws = loaded.model->draws.size();
  std::vector<double> draws(n * n_draws);
  for (const BoundLatent& latent : loaded.model->latents) {
    const std::vector<double>& given = fixture.expected.at("draws." + latent.spec->name);
    const std::size_t size = latent.value.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < size; ++c) draws[i * n_draws + latent.first_draw + c] = given[i * size + c];
  }
  ThreadPool pool(2);
  const Prediction prediction = make_prediction<double>(
      loaded, {.weights = fixture.weights, .windows = windows, .theta = {}, .draws = draws}, pool);
  expect_close("angle", prediction.observed("angle"), fixture.expected.at("angle"), 1e-11);
  for (const auto& [name, value] : prediction.regularizers)
    expect_close(name, std::vector{value}, fixture.expected.at(name), 1e-11);

  Engine<double> engine(loaded.plan, loaded.data->windows(), pool,
                        {.capacity = n, .is_differentiable = true});
  engine.set_weights(fixture.weights);
  const Samples<double> samples{&loaded.data->windows(), windows, {}, draws};
  engine.forward(samples);
  const auto trained =
      static_cast<std::size_t>(loaded.model->find_regularizer("vae") - loaded.model->regularizers.data());
  Objective<double> objective(loaded.model, {1, 1, trained}, n);
  expect_close("J", std::vector{objective.evaluate(engine, {n, n}).total}, fixture.expected.at("J"), 1e-11);
  std::vector<double> gradient(engine.n_weights());
  engine.backward(samples, objective.cotangents(engine, {n, n}), gradient, {});
  for (const ModelTensor& item : engine.networks().tensors())
    expect_close(item.tensor.name, std::span(gradient).subspan(item.tensor.offset, item.tensor.size()),
                 fixture.expected.at("grad." + item.tensor.name), 1e-9);
}

void expect_refused(const std::string& text, const std::string& what) {
  try {
    const MadeModel made(text, 2);
    FAIL() << what;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(Latents, RefuseWhatHasNoMeaning) {
  const std::string text = autoencoder("x", 2);
  expect_refused(with(text, "v  = \"-k*w*x - d*v\"", "v = \"norm2(solution(x))\""), "depend on solution");
  expect_refused(with(text, "mean(again[1])", "mean(x*again[1])"), "changes along the trajectory");
  expect_refused(with(text, "kl(z)", "kl(any)"), "a latent with a posterior");
  expect_refused(with(text, "h(solution(xp))", "h(x)"), "reads 2 values, and 1 are given");
  expect_refused(with(text, "solution(x) ", "solution(t) "), "is of states");
  expect_refused(with(text, "\"enc.m\"", "\"enc.m * x\""), "numbers of the window");
  expect_refused(with(text, ", sd = \"exp(enc.s / 2)\"", ""), "needs `sd` too");
  expect_refused(autoencoder("x + at_snapshot(enc.m)", 3), "one value for each of the 3 observed snapshots");
}

}  // namespace
}  // namespace greybox::test
