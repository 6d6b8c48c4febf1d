// Functions added to the equation language from outside, given as plain C++ functions of single numbers. They
// run one number at a time beside the built-in operations, whose kernels work on vectors.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "language/operation.hpp"

namespace greybox {

inline constexpr int kLargestArity = 3;

template <class T>
struct ElementwiseMath {
  // Of the arguments x[0] … x[arity - 1].
  T (*value)(const T* x) = nullptr;
  // The partial derivative of the value y by argument `by`.
  T (*partial)(std::size_t by, T y, const T* x) = nullptr;
};

struct ElementwiseFunction {
  // As written in equations: a lower-case letter, then letters, digits and _.
  std::string name;
  int arity = 1;
  // One line for the documentation.
  std::string about;
  ElementwiseMath<float> in_float;
  ElementwiseMath<double> in_double;
  // Names of the arguments for messages ("x, low, high"), and the function's name in LaTeX ("\\arctan");
  // empty for what name and arity give.
  std::string arguments = {}, latex = {};

  template <class T>
  const ElementwiseMath<T>& math() const;
};

// Adds a function, before the first model is read. Throws std::invalid_argument for one that is incomplete or
// whose name is taken, std::logic_error when it comes too late.
Operation register_function(ElementwiseFunction function);

// In the order of their operations; closes the registry.
const std::deque<ElementwiseFunction>& registered_functions();
const ElementwiseFunction& registered_function(Operation operation);

template <>
inline const ElementwiseMath<float>& ElementwiseFunction::math() const {
  return in_float;
}
template <>
inline const ElementwiseMath<double>& ElementwiseFunction::math() const {
  return in_double;
}

}  // namespace greybox
