// Parameters of noise that are estimated while the networks learn: logarithms among what is learned, numbers
// for the engine.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/engine.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// What is learned is the logarithm in units of `kNoisePace`: an update of the size of the rate then changes a
// standard deviation by that many times the rate.
inline constexpr double kNoisePace = 10;

class NoiseSource {
 public:
  explicit NoiseSource(const LoadedModel& loaded);

  std::size_t n_learned() const { return estimated_.size(); }
  // Where the model's settled values are.
  template <class T>
  void start(std::span<T> learned) const;
  // Into a noise-free world no noise shrinks to nothing.
  template <class T>
  void project(std::span<T> learned) const;
  // One number per observed variable; valid until the next call.
  template <class T>
  std::span<const double> spreads(std::span<const T> learned);
  // From the engine's last backward.
  template <class T>
  void pull_back(const Engine<T>& engine, std::span<T> gradient) const;
  // By observed variable.
  template <class T>
  std::map<std::string, double> values(std::span<const T> learned) const;

 private:
  struct Estimated {
    std::size_t observed;
    std::string name;
    double start, least;
  };
  std::vector<Estimated> estimated_;
  std::vector<double> spreads_;
};

}  // namespace greybox
