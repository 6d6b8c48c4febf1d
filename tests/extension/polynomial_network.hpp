// A network kind that the library does not know: a sum of powers of each input.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "nn/network_kind.hpp"

namespace greybox::test {

// y[o] = bias[o] + gain Σ_i Σ_p weight[o][i][p] x[i]^(p + 1), with p < degree.
template <class T>
class PolynomialNetwork final : public Network<T> {
 public:
  using typename Network<T>::Tape;

  explicit PolynomialNetwork(const NetworkConfig& config)
      : n_inputs_(config.n_inputs),
        n_outputs_(config.n_outputs),
        degree_(config.settings.count("degree")),
        gain_(static_cast<T>(config.settings.number("gain"))),
        tensors_{{.name = "weight", .shape = {n_outputs_, n_inputs_, degree_}, .bound = 0.3},
                 {.name = "bias",
                  .shape = {n_outputs_},
                  .offset = n_outputs_ * n_inputs_ * degree_,
                  .bound = 0.1}},
        weights_(n_weights()) {}

  std::size_t n_inputs() const override { return n_inputs_; }
  std::size_t n_outputs() const override { return n_outputs_; }
  std::span<const WeightTensor> tensors() const override { return tensors_; }
  std::size_t n_weights() const override { return tensors_[1].offset + n_outputs_; }
  std::unique_ptr<Tape> make_tape(std::size_t capacity, std::size_t n_slots) const override {
    return std::make_unique<Kept>(n_slots * n_inputs_ * capacity, n_weights());
  }
  void set_weights(const T* weights) override { std::copy_n(weights, weights_.size(), weights_.begin()); }

  void begin(Tape&, std::size_t, const T* const*) const override {}
  void forward(Tape& tape, std::size_t slot, std::size_t, std::size_t n, const T* const* inputs,
               T* const* outputs) const override {
    T* const kept = own(tape).inputs.data() + slot * n_inputs_ * n;
    for (std::size_t i = 0; i < n_inputs_; ++i) std::copy_n(inputs[i], n, kept + i * n);
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      std::fill_n(outputs[o], n, weights_[tensors_[1].offset + o]);
      for_terms(o, [&](std::size_t weight, std::size_t i, std::size_t p) {
        for (std::size_t s = 0; s < n; ++s)
          outputs[o][s] += gain_ * weights_[weight] * power(kept[i * n + s], p + 1);
      });
    }
  }
  void backward(Tape& tape, std::size_t slot, std::size_t, std::size_t n, const T* const* grad_outputs,
                T* const* grad_inputs) const override {
    const T* const kept = own(tape).inputs.data() + slot * n_inputs_ * n;
    std::vector<T>& sums = own(tape).sums;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      for (std::size_t s = 0; s < n; ++s) sums[tensors_[1].offset + o] += grad_outputs[o][s];
      for_terms(o, [&](std::size_t weight, std::size_t i, std::size_t p) {
        for (std::size_t s = 0; s < n; ++s) {
          const T x = kept[i * n + s], change = gain_ * grad_outputs[o][s];
          sums[weight] += change * power(x, p + 1);
          if (grad_inputs[i])
            grad_inputs[i][s] += change * weights_[weight] * static_cast<T>(p + 1) * power(x, p);
        }
      });
    }
  }
  void flush(Tape&, std::size_t, std::size_t, std::size_t) const override {}
  void end(Tape&, std::size_t, T* const*) const override {}
  void clear_weight_gradient(Tape& tape) const override { std::ranges::fill(own(tape).sums, T{0}); }
  void add_weight_gradient(const Tape& tape, T* gradient) const override {
    const std::vector<T>& sums = static_cast<const Kept&>(tape).sums;
    for (std::size_t w = 0; w < sums.size(); ++w) gradient[w] += sums[w];
  }

 private:
  struct Kept final : Tape {
    Kept(std::size_t n_values, std::size_t n_weights) : inputs(n_values), sums(n_weights) {}
    std::vector<T> inputs, sums;
  };
  static Kept& own(Tape& tape) { return static_cast<Kept&>(tape); }
  static T power(T x, std::size_t n) { return n == 0 ? T{1} : x * power(x, n - 1); }

  template <class Visit>
  void for_terms(std::size_t output, Visit visit) const {
    for (std::size_t i = 0; i < n_inputs_; ++i)
      for (std::size_t p = 0; p < degree_; ++p) visit((output * n_inputs_ + i) * degree_ + p, i, p);
  }

  std::size_t n_inputs_, n_outputs_, degree_;
  T gain_;
  std::vector<WeightTensor> tensors_;
  std::vector<T> weights_;
};

template <class T>
std::unique_ptr<Network<T>> make_polynomial(const NetworkConfig& config) {
  return std::make_unique<PolynomialNetwork<T>>(config);
}

inline NetworkKind polynomial_kind() {
  const auto settings = [](std::size_t degree, double gain) {
    return NetworkSettings().set("degree", degree).set("gain", gain);
  };
  return {
      .name = "polynomial",
      .noun = "a polynomial",
      .about = "a sum of powers",
      .keys = {{.info = {.name = "degree",
                         .type = KeyType::count,
                         .range = Range::layer_size,
                         .about = "the highest power"},
                .missing = "`degree`",
                .missing_help = "add the highest power, such as degree = 3"},
               {.info = {.name = "gain",
                         .type = KeyType::number,
                         .fallback = "1",
                         .range = Range::positive,
                         .about = "of the powers"}}},
      .kept_values = [](const NetworkConfig& config) { return config.n_inputs; },
      .describe =
          [](const NetworkConfig& config) {
            return "polynomial of degree " + std::to_string(config.settings.count("degree"));
          },
      .make_float = make_polynomial<float>,
      .make_double = make_polynomial<double>,
      .examples = {{.n_inputs = 3, .n_outputs = 2, .settings = settings(3, 0.5)},
                   {.n_inputs = 2, .n_outputs = 5, .is_static = {false, true}, .settings = settings(1, 2)}}};
}

}  // namespace greybox::test
