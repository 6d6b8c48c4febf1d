// θ of every window by steps down a regularizer: the steps, their gradients, and trainings that take them.
#include "train/tailoring.hpp"

#include "model/made_model.hpp"
#include "model/objective.hpp"
#include "support/gradient_check.hpp"
#include "support/paths.hpp"
#include "train/toy_training.hpp"

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

// More samples than a block takes.
constexpr std::size_t kSamples = 9;

// L and R of windows at the θ that steps lead to, as a function of the weights and of where θ starts.
class Tailored {
 public:
  explicit Tailored(const TailoringSpec& how) : made_(kTailoredOscillator, kSamples) {
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
  }

  double objective() {
    engine_->set_weights(weights);
    theta = start;
    tailoring_->adapt(*engine_, samples(), theta);
    engine_->forward(samples());
    return objective_->evaluate(*engine_, {kSamples, kSamples}).total;
  }

  void differentiate() {
    objective();
    grad_weights.assign(weights.size(), 0);
    grad_start.assign(start.size(), 0);
    engine_->backward(samples(), objective_->cotangents(*engine_, {kSamples, kSamples}), grad_weights,
                      grad_start);
    tailoring_->pull_back(*engine_, samples(), grad_start, grad_weights);
  }

  // R of every window at θ.
  std::vector<double> regularizers() {
    WindowRegularizer<double> regularizer(made_.model, 0, kSamples);
    engine_->forward(samples());
    const std::span<const double> values = regularizer.evaluate(*engine_);
    return {values.begin(), values.end()};
  }

  const LoadedModel& loaded() const { return loaded_; }
  const std::vector<std::size_t>& windows() const { return windows_; }

  std::vector<double> weights, start, theta, grad_weights, grad_start;

 private:
  Samples<double> samples() const { return {&made_.data->windows(), windows_, theta}; }

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
  Tailored all({.steps = 3, .rate = 0.02});
  all.objective();
  ThreadPool pool(1);
  for (std::size_t i = 0; i < kSamples; ++i) {
    const std::vector<double> alone = tailored_theta<double>(
        all.loaded(),
        {all.weights, 0, std::span(all.windows()).subspan(i, 1), std::span(all.start).subspan(2 * i, 2)},
        pool);
    for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(alone[p], all.theta[2 * i + p], 1e-12) << i;
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

TEST(Tailoring, RefusesSamplesThatDependOnEachOther) {
  const LoadedModel loaded =
      load_model(std::filesystem::path(kSourceFolder) / "tests/fixtures/reaction-diffusion/model.toml");
  test::expect_refused([&] { Tailoring<double>(loaded, 0, 2); }, loaded.spec->source->path, "", "batch norm");
}

class TailoredToy : public test::ToyTraining {
 protected:
  static constexpr const char* kTailored =
      "regularizer = \"normD\"\nlambda = 0.01\nepochs = 30\nbatch = 5\nrate = 1e-2\ntailored = { steps = 2, "
      "rate = "
      "0.05 }";

  TailoredToy() { model(kTailored); }
  TrainOptions tailored(const std::string& run) const {
    TrainOptions request = options(run);
    request.mode = TrainMode::tailored;
    return request;
  }
};

TEST_F(TailoredToy, TheRecordSaysHow) {
  const RunRecord record = *train_toy(tailored("run")).record();
  ASSERT_TRUE(record.options.tailored);
  EXPECT_EQ(record.options.tailored->steps, 2U);
  EXPECT_EQ(record.options.tailored->rate, 0.05);
  EXPECT_FALSE(record.options.tailored->second_order);
  EXPECT_EQ(read_record(path("run")).options.tailored->rate, 0.05);
  EXPECT_EQ(record.theta.size(), 2U) << "what windows start from";
}

TEST_F(TailoredToy, AnInterruptedTrainingContinuesToTheSameBits) {
  train_toy(tailored("whole"));
  interrupt(tailored("cut"), 7);
  TrainOptions rest = tailored("cut");
  rest.resume = true;
  train_toy(rest);
  EXPECT_EQ(bytes_of(path("cut/weights.npz")), bytes_of(path("whole/weights.npz")));
}

TEST_F(TailoredToy, NeedsParametersToAdapt) {
  write("bare.toml", R"toml([data]
file = "data.csv"
split = { train = 0.4, validation = 0.3, test = 0.3, by = "window" }
[theory]
y = "x"
[network.fD]
inputs = ["x"]
hidden = [4]
outputs = ["y"]
[train]
regularizer = "mean(norm2(network))"
)toml");
  TrainOptions request = tailored("run");
  test::expect_refused([&] { train(Model::read(path("bare.toml")), request); }, path("bare.toml"), "",
                       "no parameters that mode tailored could adapt");
}

}  // namespace
}  // namespace greybox
