#include "language/registered_kernels.hpp"

#include <array>

#include "language/elementwise_function.hpp"

namespace greybox {
namespace {

// One instruction of a registered function on a block.
template <class T>
class Call {
 public:
  Call(const Block<T>& block, const Instruction& code)
      : arity(static_cast<std::size_t>(info(code.operation).arity)),
        n(block.n_samples * (code.shape == Shape::field ? block.grid.points() : 1)),
        math(registered_function(code.operation).math<T>()),
        y(block.values[code.result]) {
    for (std::size_t i = 0; i < arity; ++i) from_[i] = block.values[code.arguments[i]];
  }

  // The arguments of value k.
  const T* arguments(std::size_t k) {
    for (std::size_t i = 0; i < arity; ++i) x_[i] = from_[i][k];
    return x_.data();
  }

  std::size_t arity, n;
  const ElementwiseMath<T>& math;
  T* y;

 private:
  std::array<const T*, kLargestArity> from_{};
  std::array<T, kLargestArity> x_{};
};

// As `chain` of the vector kernels: a zero on either side means that nothing flows.
template <class T>
T chain(T partial, T change) {
  return partial == 0 || change == 0 ? T{0} : partial * change;
}

}  // namespace

template <class T>
void forward_registered(const Block<T>& block, const Instruction& code) {
  Call<T> call(block, code);
  for (std::size_t k = 0; k < call.n; ++k) call.y[k] = call.math.value(call.arguments(k));
}

template <class T>
void reverse_registered(const Block<T>& block, const Instruction& code) {
  Call<T> call(block, code);
  const T* grad_y = block.gradients[code.result];
  for (std::size_t i = 0; i < call.arity; ++i) {
    T* grad_x = block.gradients[code.arguments[i]];
    if (grad_x == nullptr) continue;
    for (std::size_t k = 0; k < call.n; ++k)
      grad_x[k] += chain(call.math.partial(i, call.y[k], call.arguments(k)), grad_y[k]);
  }
}

template <class T>
void tangent_registered(const Block<T>& block, const Instruction& code) {
  Call<T> call(block, code);
  T* tangent_y = block.tangents[code.result];
  for (std::size_t k = 0; k < call.n; ++k) {
    T sum{0};
    for (std::size_t i = 0; i < call.arity; ++i)
      if (const T* tangent_x = block.tangents[code.arguments[i]])
        sum += chain(call.math.partial(i, call.y[k], call.arguments(k)), tangent_x[k]);
    tangent_y[k] = sum;
  }
}

template void forward_registered(const Block<float>&, const Instruction&);
template void forward_registered(const Block<double>&, const Instruction&);
template void reverse_registered(const Block<float>&, const Instruction&);
template void reverse_registered(const Block<double>&, const Instruction&);
template void tangent_registered(const Block<float>&, const Instruction&);
template void tangent_registered(const Block<double>&, const Instruction&);

}  // namespace greybox
