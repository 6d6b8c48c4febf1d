// Weights that a training leaves alone: AdamW would let them decay although nothing asks for it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/network_set.hpp"

namespace greybox {

template <class T>
class KeptWeights {
 public:
  // Keeps the tensors of the networks that are the estimator's, or of all others.
  KeptWeights(const BoundModel& model, const std::vector<ModelTensor>& tensors, bool estimators) {
    for (const ModelTensor& item : tensors)
      if ((!item.is_start && model.networks[item.network].is_estimator) == estimators)
        ranges_.push_back({item.tensor.offset, item.tensor.size()});
    for (const Range& range : ranges_) saved_.resize(saved_.size() + range.size);
  }

  void clear(std::span<T> gradient) const {
    for_each([&](const Range& range, std::size_t) { std::fill_n(&gradient[range.begin], range.size, T{0}); });
  }
  // Of weights in another precision: those that are kept, from `from` to `to`.
  void copy(std::span<const double> from, std::span<double> to) const {
    for_each([&](const Range& range, std::size_t) {
      std::copy_n(&from[range.begin], range.size, &to[range.begin]);
    });
  }
  void save(std::span<const T> weights) {
    for_each([&](const Range& range, std::size_t at) {
      std::copy_n(&weights[range.begin], range.size, &saved_[at]);
    });
  }
  void restore(std::span<T> weights) const {
    for_each([&](const Range& range, std::size_t at) {
      std::copy_n(&saved_[at], range.size, &weights[range.begin]);
    });
  }

 private:
  struct Range {
    std::size_t begin, size;
  };
  // f(range, index among the saved).
  template <class F>
  void for_each(F&& f) const {
    std::size_t at = 0;
    for (const Range& range : ranges_) {
      f(range, at);
      at += range.size;
    }
  }

  std::vector<Range> ranges_;
  std::vector<T> saved_;
};

}  // namespace greybox
