#include "core/ordered_sums.hpp"

#include <algorithm>

#include "core/require.hpp"

namespace greybox {

template <class T>
OrderedSums<T>::OrderedSums(Communicator* others, std::size_t n_values, std::size_t most_blocks)
    : others_(others),
      rank_(others != nullptr ? others->rank() : 0),
      n_ranks_(others != nullptr ? others->size() : 1),
      addends_(n_values),
      sent_begins_(n_ranks_ + 1),
      received_begins_(n_ranks_ + 1),
      slice_begins_(n_ranks_ + 1) {
  if (others == nullptr) return;
  sent_ = AlignedBuffer<T>((most_blocks + n_ranks_ - 1) / n_ranks_ * n_values);
  received_ = AlignedBuffer<T>(most_blocks * (slice_begin(rank_ + 1) - slice_begin(rank_)));
  for (std::size_t r = 0; r <= n_ranks_; ++r) slice_begins_[r] = slice_begin(r) * sizeof(T);
}

template <class T>
void OrderedSums<T>::begin(std::span<T> sums, std::size_t n_blocks) {
  require(sums.size() == addends_.size(), "OrderedSums adds as many values as promised");
  sums_ = sums;
  n_blocks_ = n_blocks;
  own_ = share_of(rank_, n_ranks_, n_blocks);
  n_put_ = 0;
}

template <class T>
std::span<T> OrderedSums<T>::addends() {
  addends_.fill(0);
  return addends_.span();
}

template <class T>
void OrderedSums<T>::put() {
  if (others_ == nullptr) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += addends_[i];
    return;
  }
  require(n_put_ < own_.size(), "a process has put more blocks into a sum than are its own");
  for (std::size_t r = 0; r < n_ranks_; ++r) {
    const std::size_t first = slice_begin(r), size = slice_begin(r + 1) - first;
    std::copy_n(addends_.data() + first, size, sent_.data() + own_.size() * first + n_put_ * size);
  }
  ++n_put_;
}

template <class T>
void OrderedSums<T>::finish() {
  if (others_ == nullptr) return;
  require(n_put_ == own_.size(), "a process has put fewer blocks into a sum than are its own");
  const std::size_t first = slice_begin(rank_), size = slice_begin(rank_ + 1) - first;
  for (std::size_t r = 0; r < n_ranks_; ++r) {
    sent_begins_[r] = own_.size() * slice_begins_[r];
    received_begins_[r] = share_of(r, n_ranks_, n_blocks_).first * size * sizeof(T);
  }
  sent_begins_[n_ranks_] = own_.size() * slice_begins_[n_ranks_];
  received_begins_[n_ranks_] = n_blocks_ * size * sizeof(T);
  others_->redistribute(std::as_bytes(sent_.span()), sent_begins_, std::as_writable_bytes(received_.span()),
                        received_begins_);
  for (std::size_t b = 0; b < n_blocks_; ++b)
    for (std::size_t i = 0; i < size; ++i) sums_[first + i] += received_[b * size + i];
  others_->exchange(std::as_writable_bytes(sums_), slice_begins_);
}

template class OrderedSums<float>;
template class OrderedSums<double>;

}  // namespace greybox
