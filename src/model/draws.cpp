#include "model/draws.hpp"

namespace greybox {

template <class T>
void fill_draws(const BoundModel& model, const Random& random, std::uint64_t step, std::span<T> draws) {
  const std::size_t n = model.draws.size();
  const auto drawn = [&](Draw draw, std::size_t i) {
    switch (draw) {
      case Draw::uniform:
        return random.uniform(step, i);
      case Draw::standard_normal:
        return random.normal(step, i);
      case Draw::adapted:
        break;
    }
    return centre_of(draw);
  };
  for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = static_cast<T>(drawn(model.draws[i % n], i));
}

template <class T>
std::vector<T> centred_draws(const BoundModel& model, std::size_t n_samples) {
  std::vector<T> draws;
  for (std::size_t i = 0; i < n_samples; ++i)
    for (const Draw draw : model.draws) draws.push_back(static_cast<T>(centre_of(draw)));
  return draws;
}

template std::vector<float> centred_draws(const BoundModel&, std::size_t);
template std::vector<double> centred_draws(const BoundModel&, std::size_t);

template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<float>);
template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<double>);

}  // namespace greybox
