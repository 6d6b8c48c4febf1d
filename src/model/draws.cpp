#include "model/draws.hpp"

namespace greybox {

template <class T>
void fill_draws(const BoundModel& model, const Random& random, std::uint64_t step, std::span<T> draws) {
  const std::size_t n = model.draws.size();
  for (std::size_t i = 0; i < draws.size(); ++i)
    draws[i] = static_cast<T>(model.draws[i % n] == Draw::uniform ? random.uniform(step, i)
                                                                  : random.normal(step, i));
}

template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<float>);
template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<double>);

}  // namespace greybox
