#include "train/theta_source.hpp"

#include <algorithm>
#include <array>

#include "train/prior.hpp"

namespace greybox {
namespace {

std::vector<Prior> priors_of(const std::vector<ParameterSpec>& parameters) {
  return {parameters.begin(), parameters.end()};
}

constexpr std::size_t kChunk = 128;  // uniform numbers drawn at a time

template <class T>
void repeat(std::span<const T> row, std::span<T> rows) {
  for (std::size_t i = 0; i < rows.size(); i += row.size())
    std::copy(row.begin(), row.end(), rows.begin() + i);
}

// Equation (4): a fresh draw per sample; shapes of learned priors, two numbers each, are fitted through the
// draws.
template <class T>
class PriorDraws final : public ThetaSource<T> {
 public:
  PriorDraws(const std::vector<ParameterSpec>& parameters, std::uint64_t seed)
      : priors_(priors_of(parameters)), seed_(seed) {
    for (const Prior& prior : priors_) n_learned_ += prior.is_learned() ? 2 : 0;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      names_.push_back(parameters[p].name);
      if (parameters[p].draw == DrawPer::batch) per_batch_.push_back(p);
    }
  }

  std::size_t n_learned() const override { return n_learned_; }
  bool is_drawn() const override { return true; }
  bool decays() const override { return false; }  // a prior has no reason to move towards 0

  void start(std::span<T> learned, std::uint64_t) const override {
    for_learned([&](const Prior& prior, std::size_t, std::size_t k) { put(prior.start(), learned, k); });
  }

  void fill(Purpose purpose, std::uint64_t step, std::span<const T> learned,
            std::span<T> theta) const override {
    const Random random(seed_, purpose);
    std::array<double, kChunk> drawn;
    for (std::size_t first = 0; first < theta.size(); first += kChunk) {
      const std::span<double> uniforms = std::span(drawn).first(std::min(kChunk, theta.size() - first));
      random.uniforms(step, first, uniforms);
      transform(uniforms, first, learned, theta.data() + first);
    }
    if (purpose == Purpose::parameters) share_over_batch(theta);
  }

  void pull_back(std::uint64_t step, std::span<const T> learned, std::span<const T> grad_theta,
                 std::span<T> grad_learned) const override {
    const Random random(seed_, Purpose::parameters);
    for_learned([&](const Prior& prior, std::size_t p, std::size_t k) {
      PriorShape gradient{};
      for (std::size_t i = p; i < grad_theta.size(); i += priors_.size()) {
        const PriorShape slope = prior.derivatives(shape_at(learned, k), random.uniform(step, i));
        for (std::size_t j = 0; j < 2; ++j) gradient[j] += slope[j] * static_cast<double>(grad_theta[i]);
      }
      put(gradient, grad_learned, k);
    });
  }

  FittedPriors fitted_priors(std::span<const T> learned) const override {
    FittedPriors fitted;
    for_learned([&](const Prior& prior, std::size_t p, std::size_t k) {
      fitted[names_[p]] = prior.describe(shape_at(learned, k));
    });
    return fitted;
  }

  void project(std::span<T> learned) const override {
    for_learned([&](const Prior& prior, std::size_t, std::size_t k) {
      put(prior.project(shape_at(learned, k)), learned, k);
    });
  }

 private:
  // The first sample's draw is that of all. (Validation looks at many values at once.)
  void share_over_batch(std::span<T> theta) const {
    for (const std::size_t p : per_batch_)
      for (std::size_t i = p; i < theta.size(); i += priors_.size()) theta[i] = theta[p];
  }

  // From uniform draws to those of the priors, for places `first` and on of the batch's θ.
  void transform(std::span<const double> uniforms, std::size_t first, std::span<const T> learned,
                 T* theta) const {
    const std::size_t n_priors = priors_.size();
    for (std::size_t p = 0, k = 0; p < n_priors; ++p) {
      const PriorShape shape = priors_[p].is_learned() ? shape_at(learned, k) : priors_[p].start();
      k += priors_[p].is_learned() ? 2 : 0;
      for (std::size_t i = (p + n_priors - first % n_priors) % n_priors; i < uniforms.size(); i += n_priors)
        theta[i] = static_cast<T>(priors_[p].draw(shape, uniforms[i]));
    }
  }

  static PriorShape shape_at(std::span<const T> learned, std::size_t k) {
    return {static_cast<double>(learned[k]), static_cast<double>(learned[k + 1])};
  }
  static void put(const PriorShape& shape, std::span<T> learned, std::size_t k) {
    for (std::size_t j = 0; j < 2; ++j) learned[k + j] = static_cast<T>(shape[j]);
  }
  // f(prior, its parameter, place of its shape) for each learned prior.
  template <class F>
  void for_learned(F&& f) const {
    for (std::size_t p = 0, k = 0; p < priors_.size(); ++p)
      if (priors_[p].is_learned()) {
        f(priors_[p], p, k);
        k += 2;
      }
  }

  std::vector<Prior> priors_;
  std::vector<std::string> names_;
  std::vector<std::size_t> per_batch_;
  std::uint64_t seed_;
  std::size_t n_learned_ = 0;
};

// Equations (2) and (3): one θ for all samples, optimised with the weights and kept within its bounds.
template <class T>
class CommonTheta final : public ThetaSource<T> {
 public:
  CommonTheta(const std::vector<ParameterSpec>& parameters, std::uint64_t seed)
      : parameters_(parameters), seed_(seed) {}

  std::size_t n_learned() const override { return parameters_.size(); }

  void start(std::span<T> learned, std::uint64_t number) const override {
    PriorDraws<T>(parameters_, seed_).fill(Purpose::parameters, number, start_shapes(), learned);
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (parameters_[p].start) learned[p] = static_cast<T>(*parameters_[p].start);
  }
  void fill(Purpose, std::uint64_t, std::span<const T> learned, std::span<T> theta) const override {
    repeat(learned, theta);
  }
  void pull_back(std::uint64_t, std::span<const T>, std::span<const T> grad_theta,
                 std::span<T> grad_learned) const override {
    const std::size_t n = parameters_.size();
    for (std::size_t p = 0; p < n; ++p) {
      double sum = 0;
      for (std::size_t i = p; i < grad_theta.size(); i += n) sum += static_cast<double>(grad_theta[i]);
      grad_learned[p] = static_cast<T>(sum);
    }
  }
  void project(std::span<T> learned) const override {
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      learned[p] =
          std::clamp(learned[p], static_cast<T>(parameters_[p].low), static_cast<T>(parameters_[p].high));
  }
  std::vector<double> common(std::span<const T> learned) const override {
    std::vector<double> theta(learned.begin(), learned.end());
    // A bound rounded to float may lie beyond the bound itself.
    for (std::size_t p = 0; p < theta.size(); ++p)
      theta[p] = std::clamp(theta[p], parameters_[p].low, parameters_[p].high);
    return theta;
  }

 private:
  std::vector<T> start_shapes() const {
    const PriorDraws<T> draws(parameters_, seed_);
    std::vector<T> shapes(draws.n_learned());
    draws.start(shapes, 0);
    return shapes;
  }

  std::vector<ParameterSpec> parameters_;
  std::uint64_t seed_;
};

// After an estimate: θ is a constant, and nothing adapts to it.
template <class T>
class FixedTheta final : public ThetaSource<T> {
 public:
  explicit FixedTheta(const std::vector<double>& theta) : theta_(theta.begin(), theta.end()), exact_(theta) {}

  void fill(Purpose, std::uint64_t, std::span<const T>, std::span<T> theta) const override {
    repeat(std::span<const T>(theta_), theta);
  }
  std::vector<double> common(std::span<const T>) const override { return exact_; }

 private:
  std::vector<T> theta_;
  std::vector<double> exact_;
};

// Equation (6): θ = h(x), inside the model.
template <class T>
class EstimatedTheta final : public ThetaSource<T> {
 public:
  bool is_left_to_estimator() const override { return true; }
  void fill(Purpose, std::uint64_t, std::span<const T>, std::span<T>) const override {}
};

}  // namespace

template <class T>
std::unique_ptr<ThetaSource<T>> make_theta_source(ThetaOrigin origin,
                                                  const std::vector<ParameterSpec>& parameters,
                                                  std::uint64_t seed, const std::vector<double>& fixed) {
  switch (origin) {
    case ThetaOrigin::drawn:
      return std::make_unique<PriorDraws<T>>(parameters, seed);
    case ThetaOrigin::fixed:
      return std::make_unique<FixedTheta<T>>(fixed);
    case ThetaOrigin::estimated:
      return std::make_unique<EstimatedTheta<T>>();
    case ThetaOrigin::learned:
      break;
  }
  return std::make_unique<CommonTheta<T>>(parameters, seed);
}

template std::unique_ptr<ThetaSource<float>> make_theta_source(ThetaOrigin, const std::vector<ParameterSpec>&,
                                                               std::uint64_t, const std::vector<double>&);
template std::unique_ptr<ThetaSource<double>> make_theta_source(ThetaOrigin,
                                                                const std::vector<ParameterSpec>&,
                                                                std::uint64_t, const std::vector<double>&);

}  // namespace greybox
