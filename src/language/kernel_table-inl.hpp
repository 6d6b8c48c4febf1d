// One kernel per operation: which definition belongs to which instruction.
#if defined(GREYBOX_LANGUAGE_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_KERNEL_TABLE_INL_HPP
#undef GREYBOX_LANGUAGE_KERNEL_TABLE_INL_HPP
#else
#define GREYBOX_LANGUAGE_KERNEL_TABLE_INL_HPP
#endif

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "language/field_math-inl.hpp"
#include "language/function_math-inl.hpp"
#include "language/kernels.hpp"
#include "language/operation_table.hpp"
#include "language/upwind_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {

template <class... Definitions>
struct List {};

using ElementwiseDefinitions =
    List<Add, Subtract, Multiply, Divide, Negate, Power, Square, Comparison<Operation::less>,
         Comparison<Operation::less_equal>, Comparison<Operation::greater>,
         Comparison<Operation::greater_equal>, Comparison<Operation::equal>, Comparison<Operation::not_equal>,
         Where, Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Exp, Log, Log1p, Sqrt, Abs, Sign,
         Min, Max, Clamp, Sigmoid, Softplus, Stop>;
using StencilDefinitions = List<Laplacian, Dx, Dy>;
using UpwindDefinitions = List<UpwindX, UpwindY>;
using CoordinateDefinitions = List<GridX, GridY>;

template <class T>
using Kernel = void (*)(const Block<T>&, const Instruction&);

// By operation, whatever number it has: those past the built-in ones are registered functions.
template <class T>
using KernelTable =
    std::array<Kernel<T>, std::numeric_limits<std::underlying_type_t<Operation>>::max() + std::size_t{1}>;

// `Kernels<T>` has a kernel template for each list of operations, and kernels for the rest.
template <template <class> class Kernels, class T, class... E, class... S, class... U, class... C>
constexpr KernelTable<T> make_table(List<E...>, List<S...>, List<U...>, List<C...>) {
  KernelTable<T> table{};
  for (std::size_t i = kOperationCount; i < table.size(); ++i) table[i] = &Kernels<T>::registered;
  const auto entry = [&table](Operation operation) -> Kernel<T>& {
    return table[static_cast<std::size_t>(operation)];
  };
  ((entry(E::kOperation) = &Kernels<T>::template elementwise<E>), ...);
  ((entry(S::kOperation) = &Kernels<T>::template stencil<S>), ...);
  ((entry(U::kOperation) = &Kernels<T>::template upwind<U>), ...);
  ((entry(C::kOperation) = &Kernels<T>::template coordinate<C>), ...);
  entry(Operation::broadcast) = &Kernels<T>::broadcast;
  entry(Operation::scale) = &Kernels<T>::scale;
  entry(Operation::grid_sum) = &Kernels<T>::grid_sum;
  entry(Operation::grid_dot) = &Kernels<T>::grid_dot;
  return table;
}

template <template <class> class Kernels, class T>
inline constexpr KernelTable<T> kTable = make_table<Kernels, T>(ElementwiseDefinitions(),
                                                                StencilDefinitions(), UpwindDefinitions(),
                                                                CoordinateDefinitions());

// Leaves and constants are no instructions; every other operation has a kernel.
template <class T>
constexpr bool is_complete(const KernelTable<T>& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool is_leaf = i < kOperationCount && kOperationTable[i].arity == 0;
    if ((table[i] == nullptr) != is_leaf) return false;
  }
  return true;
}

template <class... E>
constexpr bool have_arities_of_table(List<E...>) {
  return ((kOperationTable[static_cast<std::size_t>(E::kOperation)].arity == static_cast<int>(E::kArity)) &&
          ...);
}
static_assert(have_arities_of_table(ElementwiseDefinitions()));

template <template <class> class Kernels, class T>
void run(const Block<T>& block, const Instruction& code) {
  static_assert(is_complete(kTable<Kernels, T>), "every operation needs a kernel");
  kTable<Kernels, T>[static_cast<std::size_t>(code.operation)](block, code);
}

// How many values a register of this shape holds.
template <class T>
std::size_t length(const Block<T>& block, Shape shape) {
  return shape == Shape::field ? block.n_samples * block.grid.points() : block.n_samples;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
