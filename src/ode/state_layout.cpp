// Offsets of the components of a state.
#include "ode/state_layout.hpp"

#include <utility>

namespace greybox {

StateLayout::StateLayout(std::vector<std::size_t> widths, std::size_t capacity, std::size_t padding)
    : widths_(std::move(widths)) {
  for (const std::size_t width : widths_) {
    offsets_.push_back(size_);
    size_ += (width * capacity + padding - 1) / padding * padding;
  }
}

}  // namespace greybox
