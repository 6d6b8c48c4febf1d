// AdamW (decoupled weight decay) over one flat vector, after clipping by value and then by norm, as PyTorch
// does it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "train/update_rule.hpp"

namespace greybox {

struct AdamOptions {
  double weight_decay = 0.01;
  double clip_value = std::numeric_limits<double>::infinity();
  double clip_norm = std::numeric_limits<double>::infinity();
};

template <class T>
using AdamVectors = UpdateVectors<T>;

// One step, the `n_updates`-th before it counted from 0. When the gradient is not finite, changes no
// parameter and returns false.
template <class T>
bool adam_step(const AdamOptions& options, double rate, std::uint64_t n_updates,
               const AdamVectors<T>& vectors);

// Clips by value in place; returns the factor of clipping by norm, none when the gradient is not finite.
template <class T>
std::optional<T> clip(const AdamOptions& options, AlignedBuffer<T>& gradient);

extern template std::optional<float> clip(const AdamOptions&, AlignedBuffer<float>&);
extern template std::optional<double> clip(const AdamOptions&, AlignedBuffer<double>&);
extern template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<float>&);
extern template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<double>&);

template <class T>
class AdamW final : public UpdateRule<T> {
 public:
  explicit AdamW(const AdamOptions& options) : options_(options) {}
  bool update(double rate, std::uint64_t n_updates, const UpdateVectors<T>& vectors) override {
    return adam_step<T>(options_, rate, n_updates, vectors);
  }

 private:
  AdamOptions options_;
};

}  // namespace greybox
