// The memory of a program: where every register lies.
#include <algorithm>
#include <cassert>
#include <utility>

#include "language/bordered_field.hpp"
#include "language/kernels.hpp"

namespace greybox {

template <class T>
FrameMemory<T>::FrameMemory(const Program& program, std::size_t capacity_)
    : capacity(capacity_),
      values(program.n_registers()),
      gradients(program.n_registers()),
      tangents(program.n_registers()) {
  const auto length = [&](std::size_t r) {
    const bool is_field = program.shape(static_cast<RegisterId>(r)) == Shape::field;
    return padded<T>(capacity * (is_field ? program.grid().points() : 1));
  };
  const auto count = [&](std::size_t first) {
    std::size_t sum = 0;
    for (std::size_t r = first; r < program.n_registers(); ++r) sum += length(r);
    return sum;
  };
  const std::size_t first_owned = program.n_inputs();
  const std::size_t first_result = first_owned + program.constants().size();
  std::size_t longest = 0;
  for (std::size_t r = 0; r < program.n_registers(); ++r) longest = std::max(longest, length(r));
  const std::size_t n_results = count(first_result);
  buffer =
      AlignedBuffer<T>(count(first_owned) + 2 * n_results + 2 * longest + bordered_size<T>(program.grid()));

  T* next = buffer.data();
  const auto place = [&](std::vector<T*>& registers, std::size_t first) {
    for (std::size_t r = first; r < registers.size(); ++r) {
      registers[r] = next;
      next += length(r);
    }
  };
  place(values, first_owned);
  all_gradients = {next, n_results};
  place(gradients, first_result);
  place(tangents, first_result);
  unwanted = next;
  zeros = unwanted + longest;
  bordered = zeros + longest;
  for (const Program::Constant& constant : program.constants())
    std::fill_n(values[constant.where], length(constant.where), static_cast<T>(constant.value));
}

template <class T>
Frame<T>::Frame(const Program& program, FrameMemory<T>& memory)
    : program_(&program),
      values_(program.n_registers()),
      gradients_(program.n_registers()),
      tangents_(program.n_registers()) {
  move_to(memory);
}

template <class T>
Frame<T>::Frame(const Program& program, std::size_t capacity)
    : Frame(program, std::make_unique<FrameMemory<T>>(program, capacity)) {}

template <class T>
Frame<T>::Frame(const Program& program, std::unique_ptr<FrameMemory<T>> memory) : Frame(program, *memory) {
  own_memory_ = std::move(memory);
}

template <class T>
void Frame<T>::move_to(FrameMemory<T>& memory) {
  memory_ = &memory;
  const auto first = static_cast<std::ptrdiff_t>(program_->n_inputs());
  const auto take = [&](const std::vector<T*>& from, std::vector<T*>& to) {
    std::copy(from.begin() + first, from.end(), to.begin() + first);
  };
  take(memory.values, values_);
  take(memory.gradients, gradients_);
  take(memory.tangents, tangents_);
}

template <class T>
void Frame<T>::bind(std::size_t i, const T* value, T* gradient, T* tangent) {
  assert(i < program_->n_inputs());
  values_[i] = const_cast<T*>(value);  // instructions write results only, and inputs are not
  gradients_[i] = gradient;
  tangents_[i] = tangent;
}

template <class T>
Block<T> Frame<T>::block(std::size_t n_samples) const {
  assert(n_samples <= memory_->capacity);
  return {program_->grid(),  n_samples,        values_.data(),
          gradients_.data(), tangents_.data(), memory_->bordered};
}

template <class T>
void Frame<T>::forward(std::size_t section, std::size_t n_samples) {
  run_forward(program_->section(section), block(n_samples));
}

template <class T>
void Frame<T>::clear_gradients() {
  // One sweep over all of them is quicker than a call for each, even when the block is not full.
  std::ranges::fill(memory_->all_gradients, T{});
}

template <class T>
void Frame<T>::reverse(std::size_t section, std::size_t n_samples) {
  run_reverse(program_->section(section), block(n_samples));
}

template <class T>
void Frame<T>::tangent_forward(std::size_t section, std::size_t n_samples) {
  run_tangent(program_->section(section), block(n_samples));
}

template struct FrameMemory<float>;
template struct FrameMemory<double>;
template class Frame<float>;
template class Frame<double>;

}  // namespace greybox
