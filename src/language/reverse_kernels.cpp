// Gradients of a section's arguments from the gradients of its results.
#include <utility>

#include "language/kernels.hpp"
#include "language/registered_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "language/reverse_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"
#include "language/kernel_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {

template <class T>
struct ReverseKernels {
  template <class Definition>
  static void elementwise(const Block<T>& block, const Instruction& code) {
    loop<Definition>(block, code, std::make_index_sequence<Definition::kArity>());
  }

  template <class Stencil>
  static void stencil(const Block<T>& block, const Instruction& code) {
    T* const grad_x = block.gradients[code.arguments[0]];
    if (!grad_x) return;
    const double sign = Stencil::kIsSymmetric ? 1 : -1;
    apply_stencil<Stencil, Write::add>(block, outside_of_gradient<Stencil>(block.grid), sign,
                                       block.gradients[code.result], grad_x);
  }

  template <class Definition>
  static void upwind(const Block<T>& block, const Instruction& code) {
    const auto [field, velocity] = std::pair(code.arguments[0], code.arguments[1]);
    const T* const grad_y = block.gradients[code.result];
    if (T* const to = block.gradients[field])
      add_advected_back<Definition>(block, block.values[velocity], grad_y, to);
    if (T* const to = block.gradients[velocity])
      add_upwind_slope<Definition>(block, block.values[field], block.values[velocity], grad_y, to);
  }

  template <class Definition>
  static void coordinate(const Block<T>& block, const Instruction& code) {
    broadcast(block, code);
  }

  static void broadcast(const Block<T>& block, const Instruction& code) {
    T* const grad_x = block.gradients[code.arguments[0]];
    if (grad_x) gather<Write::add, T>(block, {block.gradients[code.result]}, grad_x);
  }

  static void scale(const Block<T>& block, const Instruction& code) {
    const auto [factor, field] = std::pair(code.arguments[0], code.arguments[1]);
    const T* const grad_y = block.gradients[code.result];
    if (T* const to = block.gradients[factor])
      gather<Write::add, T>(block, {grad_y, block.values[field]}, to);
    if (T* const to = block.gradients[field])
      scale_field<Write::add>(block, block.values[factor], grad_y, to);
  }

  static void grid_sum(const Block<T>& block, const Instruction& code) {
    T* const grad_x = block.gradients[code.arguments[0]];
    if (grad_x) spread<Write::add>(block, block.gradients[code.result], grad_x);
  }

  static void grid_dot(const Block<T>& block, const Instruction& code) {
    const T* const grad_y = block.gradients[code.result];
    for (std::size_t i : {0, 1}) {
      T* const grad_x = block.gradients[code.arguments[i]];
      if (grad_x) scale_field<Write::add>(block, grad_y, block.values[code.arguments[1 - i]], grad_x);
    }
  }

  static void registered(const Block<T>& block, const Instruction& code) { reverse_registered(block, code); }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  template <class Definition, std::size_t... i>
  static void loop(const Block<T>& block, const Instruction& code, std::index_sequence<i...> arguments) {
    const D d;
    const T* const x[] = {block.values[code.arguments[i]]...};
    T* const grad_x[] = {block.gradients[code.arguments[i]]...};
    const T* const y = block.values[code.result];
    const T* const grad_y = block.gradients[code.result];
    const std::size_t n = length(block, code.shape);
    for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
      T* const to[] = {grad_x[i] ? grad_x[i] + k : nullptr...};
      add_gradients<Definition>(arguments, to, hn::LoadU(d, grad_y + k), hn::LoadU(d, y + k),
                                load_repeating(d, x[i], k, n)...);
    }
  }

  // One argument after the other: two of them may be the same register.
  template <class Definition, std::size_t... i, class... X>
  static void add_gradients(std::index_sequence<i...>, T* const* to, V grad_y, V y, X... x) {
    (add_gradient<Definition>(By<i>(), to[i], grad_y, y, x...), ...);
  }

  template <class Definition, class Argument, class... X>
  static void add_gradient(Argument by, T* to, V grad_y, V y, X... x) {
    if (!to) return;
    const D d;
    hn::StoreU(hn::Add(hn::LoadU(d, to), chain(d, Definition::partial(by, d, y, x...), grad_y)), d, to);
  }
};

template <class T>
void reverse(std::span<const Instruction> section, const Block<T>& block) {
  for (std::size_t i = section.size(); i-- > 0;) run<ReverseKernels>(block, section[i]);
}

void reverse_float(std::span<const Instruction> section, const Block<float>& block) {
  reverse(section, block);
}
void reverse_double(std::span<const Instruction> section, const Block<double>& block) {
  reverse(section, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(reverse_float);
HWY_EXPORT(reverse_double);

void run_reverse(std::span<const Instruction> section, const Block<float>& block) {
  HWY_DYNAMIC_DISPATCH(reverse_float)(section, block);
}

void run_reverse(std::span<const Instruction> section, const Block<double>& block) {
  HWY_DYNAMIC_DISPATCH(reverse_double)(section, block);
}

}  // namespace greybox
#endif
