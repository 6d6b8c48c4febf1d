// The memory of a program: where every register lies.
#include <algorithm>
#include <cassert>

#include "language/bordered_field.hpp"
#include "language/kernels.hpp"

namespace greybox {

template <class T>
Frame<T>::Frame(const Program& program, std::size_t capacity)
    : program_(&program),
      capacity_(capacity),
      values_(program.n_registers()),
      gradients_(program.n_registers()),
      tangents_(program.n_registers()) {
  const std::size_t first_owned = program.n_inputs();
  const std::size_t first_result = first_owned + program.constants().size();
  const auto count = [&](std::size_t first) {
    std::size_t sum = 0;
    for (std::size_t r = first; r < program.n_registers(); ++r) sum += capacity_of(r);
    return sum;
  };
  std::size_t longest = 0;
  for (std::size_t r = 0; r < program.n_registers(); ++r) longest = std::max(longest, capacity_of(r));
  const std::size_t n_results = count(first_result);
  memory_ =
      AlignedBuffer<T>(count(first_owned) + 2 * n_results + 2 * longest + bordered_size<T>(program.grid()));

  T* next = memory_.data();
  const auto place = [&](std::vector<T*>& registers, std::size_t first) {
    for (std::size_t r = first; r < registers.size(); ++r) {
      registers[r] = next;
      next += capacity_of(r);
    }
  };
  place(values_, first_owned);
  owned_gradients_ = {next, n_results};
  place(gradients_, first_result);
  place(tangents_, first_result);
  unwanted_ = next;
  zeros_ = unwanted_ + longest;
  bordered_ = zeros_ + longest;
  set_constants();
}

template <class T>
std::size_t Frame<T>::capacity_of(std::size_t r) const {
  const bool is_field = program_->shape(static_cast<RegisterId>(r)) == Shape::field;
  return padded<T>(capacity_ * (is_field ? program_->grid().points() : 1));
}

template <class T>
void Frame<T>::set_constants() {
  for (const Program::Constant& constant : program_->constants()) {
    std::fill_n(values_[constant.where], capacity_of(constant.where), static_cast<T>(constant.value));
  }
}

template <class T>
void Frame<T>::bind(std::size_t i, T* value, T* gradient, T* tangent) {
  assert(i < program_->n_inputs());
  values_[i] = value;
  gradients_[i] = gradient;
  tangents_[i] = tangent;
}

template <class T>
Block<T> Frame<T>::block(std::size_t n_samples) const {
  assert(n_samples <= capacity_);
  return {program_->grid(), n_samples, values_.data(), gradients_.data(), tangents_.data(), bordered_};
}

template <class T>
void Frame<T>::forward(std::size_t section, std::size_t n_samples) {
  run_forward(program_->section(section), block(n_samples));
}

template <class T>
void Frame<T>::clear_gradients(std::size_t) {
  // One sweep over all of them is quicker than a call for each, even when the block is not full.
  std::ranges::fill(owned_gradients_, T{});
}

template <class T>
void Frame<T>::reverse(std::size_t section, std::size_t n_samples) {
  run_reverse(program_->section(section), block(n_samples));
}

template <class T>
void Frame<T>::tangent_forward(std::size_t section, std::size_t n_samples) {
  run_tangent(program_->section(section), block(n_samples));
}

template class Frame<float>;
template class Frame<double>;

}  // namespace greybox
