// Where θ of each sample comes from: the one thing, beside the inputs of R, in which the modes differ.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "model/spec.hpp"

namespace greybox {

enum class ThetaOrigin : std::uint8_t {
  drawn,      // from the priors, afresh for every sample
  learned,    // one for all samples, optimised with the weights
  fixed,      // one for all samples, given
  estimated,  // per window, by the model's [estimator]
};

using FittedPriors = std::map<std::string, std::map<std::string, double>>;

// Numbers that are learned beside the weights (θ itself, or shapes of priors) stand in one span, owned by the
// caller.
template <class T>
class ThetaSource {
 public:
  virtual ~ThetaSource() = default;

  virtual std::size_t n_learned() const { return 0; }
  // Whether weight decay also acts on what is learned.
  virtual bool decays() const { return true; }
  // Whether samples are to come without θ, for the model's estimator to give it; `fill` is not called then.
  virtual bool is_left_to_estimator() const { return false; }
  // Whether every sample has a θ of its own.
  virtual bool is_drawn() const { return false; }
  // What is learned, before it is; where there are several starts to choose from, the one of that number.
  virtual void start(std::span<T>, std::uint64_t /*number*/) const {}
  // θ of all samples of a step, row-major: a pure function of the seed, the purpose, the step and the
  // sample's index.
  virtual void fill(Purpose purpose, std::uint64_t step, std::span<const T> learned,
                    std::span<T> theta) const = 0;
  // From gradients of the samples' θ in training to those of what is learned.
  virtual void pull_back(std::uint64_t, std::span<const T>, std::span<const T>, std::span<T>) const {}
  virtual void project(std::span<T>) const {}
  // Priors that were fitted, by parameter and by the names of the model file.
  virtual FittedPriors fitted_priors(std::span<const T>) const { return {}; }
  // θ where all samples share it; empty otherwise.
  virtual std::vector<double> common(std::span<const T>) const { return {}; }
};

// `fixed` is θ of origin `fixed`, unused otherwise.
template <class T>
std::unique_ptr<ThetaSource<T>> make_theta_source(ThetaOrigin origin,
                                                  const std::vector<ParameterSpec>& parameters,
                                                  std::uint64_t seed, const std::vector<double>& fixed);

}  // namespace greybox
