// Values of a section.
#include <utility>

#include "language/kernels.hpp"
#include "language/registered_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "language/forward_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"
#include "language/kernel_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {

template <class T>
struct ForwardKernels {
  template <class Definition>
  static void elementwise(const Block<T>& block, const Instruction& code) {
    loop<Definition>(block, code, std::make_index_sequence<Definition::kArity>());
  }

  template <class Stencil>
  static void stencil(const Block<T>& block, const Instruction& code) {
    apply_stencil<Stencil, Write::set>(block, outside_of_field(block.grid), 1,
                                       block.values[code.arguments[0]], block.values[code.result]);
  }

  template <class Definition>
  static void upwind(const Block<T>& block, const Instruction& code) {
    advect<Definition, Write::set>(block, outside_of_field(block.grid), block.values[code.arguments[0]],
                                   block.values[code.arguments[1]], block.values[code.result]);
  }

  template <class Definition>
  static void coordinate(const Block<T>& block, const Instruction& code) {
    lay_coordinate<Definition>(block, block.values[code.arguments[0]], block.values[code.result]);
  }

  static void broadcast(const Block<T>& block, const Instruction& code) {
    spread<Write::set>(block, block.values[code.arguments[0]], block.values[code.result]);
  }

  static void scale(const Block<T>& block, const Instruction& code) {
    scale_field<Write::set>(block, block.values[code.arguments[0]], block.values[code.arguments[1]],
                            block.values[code.result]);
  }

  static void grid_sum(const Block<T>& block, const Instruction& code) {
    gather<Write::set, T>(block, {block.values[code.arguments[0]]}, block.values[code.result]);
  }

  static void grid_dot(const Block<T>& block, const Instruction& code) {
    gather<Write::set, T>(block, {block.values[code.arguments[0]], block.values[code.arguments[1]]},
                          block.values[code.result]);
  }

  static void registered(const Block<T>& block, const Instruction& code) { forward_registered(block, code); }

 private:
  template <class Definition, std::size_t... i>
  static void loop(const Block<T>& block, const Instruction& code, std::index_sequence<i...>) {
    const hn::ScalableTag<T> d;
    const T* const x[] = {block.values[code.arguments[i]]...};
    T* const y = block.values[code.result];
    const std::size_t n = length(block, code.shape);
    for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
      hn::StoreU(Definition::value(d, load_repeating(d, x[i], k, n)...), d, y + k);
    }
  }
};

template <class T>
void forward(std::span<const Instruction> section, const Block<T>& block) {
  for (const Instruction& code : section) run<ForwardKernels>(block, code);
}

void forward_float(std::span<const Instruction> section, const Block<float>& block) {
  forward(section, block);
}
void forward_double(std::span<const Instruction> section, const Block<double>& block) {
  forward(section, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(forward_float);
HWY_EXPORT(forward_double);

void run_forward(std::span<const Instruction> section, const Block<float>& block) {
  HWY_DYNAMIC_DISPATCH(forward_float)(section, block);
}

void run_forward(std::span<const Instruction> section, const Block<double>& block) {
  HWY_DYNAMIC_DISPATCH(forward_double)(section, block);
}

}  // namespace greybox
#endif
