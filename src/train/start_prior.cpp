#include "train/start_prior.hpp"

#include <algorithm>

#include "model/start_slots.hpp"

namespace greybox {

template <class T>
StartPrior<T>::StartPrior(const LoadedModel& loaded, const NetworkSet<T>& networks, bool has_slopes)
    : model_(loaded.model),
      networks_(&networks),
      windows_(&loaded.data->windows()),
      data_(loaded.data),
      has_slopes_(has_slopes),
      variances_{1} {
  if (!has_starts()) return;
  for (const ParameterSpec& parameter : loaded.spec->parameters)
    variances_.push_back(standard_of(parameter).variance);
  for (std::size_t k = 0; k < model_->starts.size(); ++k) {
    std::vector<double>& shares = shares_.emplace_back(std::max<std::size_t>(model_->starts[k].n_slots, 1));
    for (std::size_t w : loaded.data->of_split(Split::train)) shares[windows_->start_slots[k][w]] += 1;
    for (double& share : shares) share = share > 0 ? 1 / share : 1;
  }
}

// The expected square of a standard start over the prior of θ is the sum of its numbers' squares, each times
// the variance of what it is multiplied by.
template <class T>
void StartPrior<T>::add_to(std::span<T> gradient, std::span<const T> weights, const Batch& batch,
                           double weight) const {
  const std::size_t width = model_->start_width();
  for (std::size_t k = 0; k < model_->starts.size(); ++k) {
    const LearnedStart& start = model_->starts[k];
    for (std::size_t i = 0; i < batch.windows.size(); ++i) {
      const std::size_t slot = windows_->start_slots[k][batch.windows[i]];
      const std::size_t position = networks_->start_offset(k, slot);
      if (i >= batch.ranges.n_loss) {
        if (start.per == StartOwner::window) std::fill_n(&gradient[position], width, T{0});
        continue;
      }
      if (!has_slopes_) std::fill_n(&gradient[position + 1], width - 1, T{0});
      if (!start.has_penalty) continue;
      for (std::size_t j = 0; j < (has_slopes_ ? width : 1); ++j)
        gradient[position + j] += static_cast<T>(weight * shares_[k][slot] * variances_[j] * kStartPace *
                                                 kStartPace * static_cast<double>(weights[position + j]));
    }
  }
}

template class StartPrior<float>;
template class StartPrior<double>;

}  // namespace greybox
