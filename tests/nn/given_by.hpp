// What blocks give to a join, in block order.
#pragma once

#include <span>
#include <vector>

#include "nn/network.hpp"

namespace greybox::test {

template <class T>
class GivenBy {
 public:
  using Tapes = std::span<typename Network<T>::Tape* const>;

  GivenBy(const Network<T>& network, std::size_t n_blocks)
      : network_(&network), given_(n_blocks * network.n_given()) {}

  std::span<const double> operator()(Tapes tapes) {
    for (std::size_t b = 0; b < tapes.size(); ++b)
      network_->give(*tapes[b], given_.data() + b * network_->n_given());
    return given_;
  }

 private:
  const Network<T>* network_;
  std::vector<double> given_;
};

}  // namespace greybox::test
