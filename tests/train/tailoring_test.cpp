// θ of every window by steps down a regularizer: the steps and their gradients.
#include "train/tailoring.hpp"

#include "data/scratch_folder.hpp"
#include "model/draws.hpp"
#include "model/fixture.hpp"
#include "model/made_model.hpp"
#include "model/objective.hpp"
#include "support/gradient_check.hpp"
#include "support/paths.hpp"

namespace greybox {
namespace {

const std::string kTailoredOscillator = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
[state]
x = "x"
v = "v + 0.1*k"
[theory]
x = "v"
v = "-k*x - d*v"
[network.fD]
inputs = ["x", "v", "k", "d"]
hidden = [5, 4]
activation = "tanh"
outputs = ["x", "v"]
[observe]
x = "x"
v = "v"
[solver]
method = "rk4"
step = 0.1
[regularizers]
all = "mean(norm2(network)) + 0.3*abs(mean(dot(theory, network))) + mean(at_data(norm2(theory - network))) + 0.1*k*d"
[train]
regularizer = "all"
)toml";

// The same, where scale and shift of a layer adapt too, beside a latent that is drawn.
const std::string kTailoredLayers = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
[latent]
any   = { prior = "uniform", low = 0.5, high = 1.5 }
scale = { size = 4, adapts = true, prior_mean = 1, prior_sd = 0.3 }
shift = { size = 4, adapts = true, prior_sd = 0.5 }
[state]
x = "x"
v = "v + 0.1*k"
[theory]
x = "v"
v = "-k*x - d*v"
[network.layer]
inputs = ["x", "v", "k", "any"]
hidden = []
outputs = ["z[4]"]
[network.fD]
inputs = ["tanh(scale*layer.z + shift)"]
hidden = []
outputs = ["x", "v"]
[observe]
x = "x"
v = "v"
[solver]
method = "rk4"
step = 0.1
[regularizers]
all = "mean(norm2(network)) + mean(at_data(norm2(theory - network))) + 0.1*k*d + 0.2*mean(norm2(solution(x) - window.x))"
[train]
regularizer = "all"
)toml";

// More samples than a block takes.
constexpr std::size_t kSamples = 9;

// L and R of windows where steps lead to, as a function of the weights and of where θ and latents start.
class Tailored {
 public:
  explicit Tailored(const TailoringSpec& how, const std::string& model = kTailoredOscillator)
      : made_(model, kSamples) {
    ModelSpec spec = *made_.spec;
    spec.train.tailored = how;
    loaded_ = {.spec = std::make_shared<const ModelSpec>(spec),
               .model = made_.model,
               .plan = made_.plan,
               .data = made_.data};
    engine_ =
        std::make_unique<Engine<double>>(made_.plan, made_.data->windows(), pool_,
                                         EngineOptions{.capacity = kSamples, .is_differentiable = true});
    tailoring_ = std::make_unique<Tailoring<double>>(loaded_, 0, kSamples);
    objective_ = std::make_unique<Objective<double>>(made_.model, ObjectiveOptions{1, 0.2, 0}, kSamples);
    windows_ = made_.data->all();
    weights = initial_weights(engine_->networks().tensors(), 5);
    for (std::size_t i = 0; i < kSamples; ++i) {
      start.push_back(0.6 + 0.1 * static_cast<double>(i % 4));
      start.push_back(0.3 + 0.05 * static_cast<double>(i % 3));
    }
    start_draws = centred_draws<double>(*made_.model, kSamples);
    fill_draws<double>(*made_.model, Random(3, Purpose::latents), 0, start_draws);
  }

  double objective() {
    engine_->set_weights(weights);
    theta = start;
    draws = start_draws;
    tailoring_->adapt(*engine_, samples(), {theta, draws});
    engine_->forward(samples());
    return objective_->evaluate(*engine_, {kSamples, kSamples}).total;
  }

  void differentiate() {
    objective();
    grad_weights.assign(weights.size(), 0);
    grad_start.assign(start.size(), 0);
    grad_draws.assign(start_draws.size(), 0);
    engine_->backward(samples(), objective_->cotangents(*engine_, {kSamples, kSamples}), grad_weights,
                      grad_start, grad_draws);
    tailoring_->pull_back(*engine_, samples(), {grad_start, grad_draws}, grad_weights);
  }

  // R of every window at θ.
  std::vector<double> regularizers() {
    WindowRegularizer<double> regularizer(made_.model, 0, kSamples);
    engine_->forward(samples());
    const std::span<const double> values = regularizer.evaluate(*engine_);
    return {values.begin(), values.end()};
  }

  // The draw at that place among those of all samples.
  bool adapts(std::size_t i) const {
    return made_.model->draws[i % made_.model->draws.size()] == Draw::adapted;
  }
  const LoadedModel& loaded() const { return loaded_; }
  const std::vector<std::size_t>& windows() const { return windows_; }

  std::vector<double> weights, start, theta, grad_weights, grad_start;
  std::vector<double> start_draws, draws, grad_draws;

 private:
  Samples<double> samples() const { return {&made_.data->windows(), windows_, theta, draws}; }

  test::MadeModel made_;
  LoadedModel loaded_;
  ThreadPool pool_{1};
  std::unique_ptr<Engine<double>> engine_;
  std::unique_ptr<Tailoring<double>> tailoring_;
  std::unique_ptr<Objective<double>> objective_;
  std::vector<std::size_t> windows_;
};

TEST(Tailoring, LowersTheRegularizerOfEachWindow) {
  Tailored none({.steps = 1, .rate = 1e-12}), some({.steps = 5, .rate = 0.02});
  none.objective(), some.objective();
  const std::vector<double> before = none.regularizers(), after = some.regularizers();
  for (std::size_t i = 0; i < kSamples; ++i) EXPECT_LT(after[i], before[i]) << i;
}

// As if each were alone.
TEST(Tailoring, KeepsWindowsApart) {
  for (const std::string& model : {kTailoredOscillator, kTailoredLayers}) {
    Tailored all({.steps = 3, .rate = 0.02}, model);
    // As where nothing is drawn.
    all.start_draws = centred_draws<double>(*all.loaded().model, kSamples);
    all.objective();
    ThreadPool pool(1);
    const std::size_t n_draws = all.draws.size() / kSamples;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const TailoredWindows alone = tailored_windows<double>(
          all.loaded(),
          {all.weights, 0, std::span(all.windows()).subspan(i, 1), std::span(all.start).subspan(2 * i, 2)},
          pool);
      for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(alone.theta[p], all.theta[2 * i + p], 1e-12) << i;
      ASSERT_EQ(alone.draws.size(), n_draws);
      for (std::size_t d = 0; d < n_draws; ++d)
        EXPECT_NEAR(alone.draws[d], all.draws[n_draws * i + d], 1e-12) << i;
    }
  }
}

TEST(Tailoring, MovesLatentsThatAdaptAndNoOthers) {
  Tailored none({.steps = 1, .rate = 1e-12}, kTailoredLayers),
      some({.steps = 5, .rate = 0.01}, kTailoredLayers), frozen({.steps = 5, .rate = 0.01}, kTailoredLayers);
  for (Tailored* each : {&none, &some, &frozen}) each->objective();
  for (std::size_t i = 0; i < some.draws.size(); ++i)
    if (!some.adapts(i))
      EXPECT_EQ(some.draws[i], some.start_draws[i]) << "drawn";
    else
      EXPECT_NE(some.draws[i], some.start_draws[i]) << i;
  // At the θ that the steps lead to, but with the latents at their start.
  frozen.draws = frozen.start_draws;
  const std::vector<double> before = none.regularizers(), after = some.regularizers(),
                            of_theta = frozen.regularizers();
  for (std::size_t i = 0; i < kSamples; ++i) {
    EXPECT_LT(after[i], before[i]) << i;
    EXPECT_LT(after[i], of_theta[i]) << i;
  }
}

TEST(Tailoring, StaysWithinTheBounds) {
  Tailored far({.steps = 2, .rate = 1e6});
  far.differentiate();
  for (std::size_t i = 0; i < far.theta.size(); ++i) {
    const bool is_k = i % 2 == 0;
    EXPECT_TRUE(far.theta[i] == (is_k ? 0.1 : 0.0) || far.theta[i] == (is_k ? 2.0 : 1.0)) << far.theta[i];
    EXPECT_EQ(far.grad_start[i], 0) << "where it ends does not depend on where it starts";
  }
}

TEST(Tailoring, GradientsOfTheSecondOrderAreExact) {
  Tailored tailored({.steps = 3, .rate = 0.03, .second_order = true});
  tailored.differentiate();
  const auto f = [&] { return tailored.objective(); };
  test::expect_gradient("weights", tailored.weights, tailored.grad_weights, f, 1e-6);
  test::expect_gradient("start", tailored.start, tailored.grad_start, f, 1e-6);
}

TEST(Tailoring, GradientsThroughStepsOfLatentsAreExact) {
  Tailored tailored({.steps = 3, .rate = 0.01, .second_order = true}, kTailoredLayers);
  tailored.differentiate();
  const auto f = [&] { return tailored.objective(); };
  test::expect_gradient("weights", tailored.weights, tailored.grad_weights, f, 1e-6);
  test::expect_gradient("start", tailored.start, tailored.grad_start, f, 1e-6);
  std::vector<double> grad_adapted = tailored.grad_draws;
  // Draws that stay where they are have none here.
  for (std::size_t i = 0; i < grad_adapted.size(); ++i) {
    if (tailored.adapts(i)) continue;
    EXPECT_EQ(grad_adapted[i], 0);
    const double drawn = tailored.start_draws[i], step = 1e-5;
    tailored.start_draws[i] = drawn + step;
    const double above = f();
    tailored.start_draws[i] = drawn - step;
    grad_adapted[i] = (above - f()) / (2 * step);
    tailored.start_draws[i] = drawn;
  }
  test::expect_gradient("latents", tailored.start_draws, grad_adapted, f, 1e-6);
}

// The steps do not know of it: what is left are the gradients at the θ that they lead to.
TEST(Tailoring, TheFirstOrderTakesStepsAsTheyAre) {
  Tailored tailored({.steps = 3, .rate = 0.03});
  tailored.differentiate();
  const std::vector<double> grad_weights = tailored.grad_weights, grad_start = tailored.grad_start;
  Tailored there({.steps = 1, .rate = 1e-14});
  there.start = tailored.theta;
  there.differentiate();
  for (std::size_t i = 0; i < grad_weights.size(); ++i)
    EXPECT_NEAR(there.grad_weights[i], grad_weights[i], 1e-10) << i;
  for (std::size_t i = 0; i < grad_start.size(); ++i)
    EXPECT_NEAR(there.grad_start[i], grad_start[i], 1e-10) << i;
}

// tests/fixtures/make_tailored_fixture.py
TEST(Tailoring, OfLayersIsWhatPyTorchSays) {
  const test::Fixture fixture("tailored");
  const LoadedModel& loaded = fixture.loaded;
  const std::vector<std::size_t> windows = loaded.data->all();
  const std::size_t n = windows.size();
  ThreadPool pool(2);
  Engine<double> engine(loaded.plan, loaded.data->windows(), pool,
                        {.capacity = n, .is_differentiable = true});
  engine.set_weights(fixture.weights);
  std::vector<double> theta(n, *loaded.spec->parameters[0].start),
      draws = centred_draws<double>(*loaded.model, n), gradient(engine.n_weights()), grad_theta(n),
      grad_draws(draws.size());
  const Samples<double> samples{&loaded.data->windows(), windows, theta, draws};
  Tailoring<double> tailoring(loaded, 0, n);
  tailoring.adapt(engine, samples, {theta, draws});
  test::expect_close("k", theta, fixture.expected.at("k"), 1e-12);
  for (const BoundLatent& latent : loaded.model->latents) {
    std::vector<double> found;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < latent.value.size(); ++c)
        found.push_back(draws[i * loaded.model->draws.size() + latent.first_draw + c]);
    test::expect_close(latent.spec->name, found, fixture.expected.at(latent.spec->name), 1e-12);
  }
  engine.forward(samples);
  Objective<double> objective(loaded.model, {1, loaded.spec->train.lambda, 0}, n);
  const auto values = objective.evaluate(engine, {n, n});
  test::expect_close("known", std::vector{values.regularizer}, fixture.expected.at("known"), 1e-12);
  test::expect_close("J", std::vector{values.total}, fixture.expected.at("J"), 1e-12);
  engine.backward(samples, objective.cotangents(engine, {n, n}), gradient, grad_theta, grad_draws);
  tailoring.pull_back(engine, samples, {grad_theta, grad_draws}, gradient);
  test::expect_close("start", grad_theta, fixture.expected.at("grad_start"), 1e-8);
  for (const ModelTensor& item : engine.networks().tensors())
    test::expect_close(item.tensor.name, std::span(gradient).subspan(item.tensor.offset, item.tensor.size()),
                       fixture.expected.at("grad." + item.tensor.name), 1e-8);
}

TEST(Tailoring, RefusesSamplesThatDependOnEachOther) {
  const LoadedModel loaded =
      load_model(std::filesystem::path(kSourceFolder) / "tests/fixtures/reaction-diffusion/model.toml");
  test::expect_refused([&] { Tailoring<double>(loaded, 0, 2); }, loaded.spec->source->path, "", "batch norm");
}

}  // namespace
}  // namespace greybox
