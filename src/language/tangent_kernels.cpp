// Tangents of a section's results from the tangents of its arguments.
#include <algorithm>
#include <utility>

#include "language/kernels.hpp"
#include "language/registered_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "language/tangent_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"
#include "language/kernel_table-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {

template <class T>
struct TangentKernels {
  template <class Definition>
  static void elementwise(const Block<T>& block, const Instruction& code) {
    loop<Definition>(block, code, std::make_index_sequence<Definition::kArity>());
  }

  template <class Stencil>
  static void stencil(const Block<T>& block, const Instruction& code) {
    const T* const x = block.tangents[code.arguments[0]];
    if (!x) return set_zero(block, code);
    apply_stencil<Stencil, Write::set>(block, outside_of_tangent(block.grid), 1, x,
                                       block.tangents[code.result]);
  }

  template <class Definition>
  static void upwind(const Block<T>& block, const Instruction& code) {
    const auto [field, velocity] = std::pair(code.arguments[0], code.arguments[1]);
    T* const tangent_y = block.tangents[code.result];
    set_zero(block, code);
    if (const T* const x = block.tangents[field])
      advect<Definition, Write::add>(block, outside_of_tangent(block.grid), x, block.values[velocity],
                                     tangent_y);
    if (const T* const x = block.tangents[velocity])
      add_upwind_slope<Definition>(block, block.values[field], block.values[velocity], x, tangent_y);
  }

  template <class Definition>
  static void coordinate(const Block<T>& block, const Instruction& code) {
    broadcast(block, code);
  }

  static void broadcast(const Block<T>& block, const Instruction& code) {
    const T* const x = block.tangents[code.arguments[0]];
    if (!x) return set_zero(block, code);
    spread<Write::set>(block, x, block.tangents[code.result]);
  }

  static void scale(const Block<T>& block, const Instruction& code) {
    const auto [factor, field] = std::pair(code.arguments[0], code.arguments[1]);
    T* const tangent_y = block.tangents[code.result];
    set_zero(block, code);
    if (const T* const x = block.tangents[factor])
      scale_field<Write::add>(block, x, block.values[field], tangent_y);
    if (const T* const x = block.tangents[field])
      scale_field<Write::add>(block, block.values[factor], x, tangent_y);
  }

  static void grid_sum(const Block<T>& block, const Instruction& code) {
    const T* const x = block.tangents[code.arguments[0]];
    if (!x) return set_zero(block, code);
    gather<Write::set, T>(block, {x}, block.tangents[code.result]);
  }

  static void grid_dot(const Block<T>& block, const Instruction& code) {
    set_zero(block, code);
    for (std::size_t i : {0, 1}) {
      const T* const x = block.tangents[code.arguments[i]];
      if (x)
        gather<Write::add, T>(block, {x, block.values[code.arguments[1 - i]]}, block.tangents[code.result]);
    }
  }

  static void registered(const Block<T>& block, const Instruction& code) { tangent_registered(block, code); }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  static void set_zero(const Block<T>& block, const Instruction& code) {
    std::fill_n(block.tangents[code.result], length(block, code.shape), T{});
  }

  template <class Definition, std::size_t... i>
  static void loop(const Block<T>& block, const Instruction& code, std::index_sequence<i...> arguments) {
    const D d;
    const T* const x[] = {block.values[code.arguments[i]]...};
    const T* const tangent_x[] = {block.tangents[code.arguments[i]]...};
    const T* const y = block.values[code.result];
    T* const tangent_y = block.tangents[code.result];
    const std::size_t n = length(block, code.shape);
    for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
      const T* const from[] = {tangent_x[i] ? tangent_x[i] + k : nullptr...};
      const V tangent =
          sum_of<Definition>(arguments, from, hn::LoadU(d, y + k), load_repeating(d, x[i], k, n)...);
      hn::StoreU(tangent, d, tangent_y + k);
    }
  }

  template <class Definition, std::size_t... i, class... X>
  static V sum_of(std::index_sequence<i...>, const T* const* from, V y, X... x) {
    V sum = hn::Zero(D());
    ((sum = hn::Add(sum, term<Definition>(By<i>(), from[i], y, x...))), ...);
    return sum;
  }

  template <class Definition, class Argument, class... X>
  static V term(Argument by, const T* from, V y, X... x) {
    const D d;
    return from ? chain(d, Definition::partial(by, d, y, x...), hn::LoadU(d, from)) : hn::Zero(d);
  }
};

template <class T>
void tangent(std::span<const Instruction> section, const Block<T>& block) {
  for (const Instruction& code : section) run<TangentKernels>(block, code);
}

void tangent_float(std::span<const Instruction> section, const Block<float>& block) {
  tangent(section, block);
}
void tangent_double(std::span<const Instruction> section, const Block<double>& block) {
  tangent(section, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(tangent_float);
HWY_EXPORT(tangent_double);

void run_tangent(std::span<const Instruction> section, const Block<float>& block) {
  HWY_DYNAMIC_DISPATCH(tangent_float)(section, block);
}

void run_tangent(std::span<const Instruction> section, const Block<double>& block) {
  HWY_DYNAMIC_DISPATCH(tangent_double)(section, block);
}

}  // namespace greybox
#endif
