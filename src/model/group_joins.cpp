// Where the blocks of a batch meet, in this process and with others.
#include "model/group.hpp"

namespace greybox {

template <class T>
void Group<T>::join(StageOf stage_of, const Action& action, std::size_t slot, bool is_forward) {
  tapes_.clear();
  const Network<T>& network = stage_of(*blocks_[0]).network_of(action);
  const std::size_t n_given = network.n_given();
  if (given_.size() < part_.n_blocks * n_given) given_.resize(part_.n_blocks * n_given);
  for (std::size_t b = 0; b < n_active_; ++b) {
    tapes_.push_back(&stage_of(*blocks_[b]).tape(action.index));
    network.give(*tapes_.back(), given_.data() + (part_.blocks.first + b) * n_given);
  }
  const std::span<double> given = std::span(given_).first(part_.n_blocks * n_given);
  if (part_.others != nullptr) exchange(given);
  if (is_forward)
    network.join_forward(tapes_, given, slot, action.phase);
  else
    network.join_backward(tapes_, given, slot, action.phase);
}

template <class T>
void Group<T>::exchange(std::span<double> given) {
  const std::size_t n_ranks = part_.others->size(), n_bytes = given.size_bytes() / part_.n_blocks;
  given_begins_.resize(n_ranks + 1);
  for (std::size_t r = 0; r <= n_ranks; ++r)
    given_begins_[r] = share_of(r, n_ranks, part_.n_blocks).first * n_bytes;
  part_.others->exchange(std::as_writable_bytes(given), given_begins_);
}

template void Group<float>::exchange(std::span<double>);
template void Group<double>::exchange(std::span<double>);
template void Group<float>::join(StageOf, const Action&, std::size_t, bool);
template void Group<double>::join(StageOf, const Action&, std::size_t, bool);

}  // namespace greybox
