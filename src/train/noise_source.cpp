#include "train/noise_source.hpp"

#include <algorithm>
#include <cmath>

#include "model/noise_data.hpp"

namespace greybox {
namespace {

// Of the spread of the data, or of 1.
constexpr double kLeastNoise = 1e-4;

}  // namespace

NoiseSource::NoiseSource(const LoadedModel& loaded) {
  for (std::size_t o = 0; o < loaded.model->observed.size(); ++o) {
    const Observed& observed = loaded.model->observed[o];
    spreads_.push_back(observed.noise ? observed.noise->spread : 1);
    if (!observed.noise || !observed.noise->is_estimated) continue;
    const double unit = observed.noise->family->has_unit ? measured_spread(loaded, observed) : 1;
    estimated_.push_back({o, observed.name, observed.noise->spread, kLeastNoise * unit});
  }
}

template <class T>
void NoiseSource::start(std::span<T> learned) const {
  for (std::size_t i = 0; i < estimated_.size(); ++i)
    learned[i] = static_cast<T>(std::log(estimated_[i].start) / kNoisePace);
}

template <class T>
void NoiseSource::project(std::span<T> learned) const {
  for (std::size_t i = 0; i < estimated_.size(); ++i)
    learned[i] = std::max(learned[i], static_cast<T>(std::log(estimated_[i].least) / kNoisePace));
}

template <class T>
std::span<const double> NoiseSource::spreads(std::span<const T> learned) {
  for (std::size_t i = 0; i < estimated_.size(); ++i)
    spreads_[estimated_[i].observed] = std::exp(kNoisePace * static_cast<double>(learned[i]));
  return spreads_;
}

template <class T>
void NoiseSource::pull_back(const Engine<T>& engine, std::span<T> gradient) const {
  for (std::size_t i = 0; i < estimated_.size(); ++i)
    gradient[i] = static_cast<T>(kNoisePace * engine.noise_gradient(estimated_[i].observed));
}

template <class T>
std::map<std::string, double> NoiseSource::values(std::span<const T> learned) const {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < estimated_.size(); ++i)
    values[estimated_[i].name] = std::exp(kNoisePace * static_cast<double>(learned[i]));
  return values;
}

template void NoiseSource::start(std::span<float>) const;
template void NoiseSource::start(std::span<double>) const;
template void NoiseSource::project(std::span<float>) const;
template void NoiseSource::project(std::span<double>) const;
template std::span<const double> NoiseSource::spreads(std::span<const float>);
template std::span<const double> NoiseSource::spreads(std::span<const double>);
template void NoiseSource::pull_back(const Engine<float>&, std::span<float>) const;
template void NoiseSource::pull_back(const Engine<double>&, std::span<double>) const;
template std::map<std::string, double> NoiseSource::values(std::span<const float>) const;
template std::map<std::string, double> NoiseSource::values(std::span<const double>) const;

}  // namespace greybox
