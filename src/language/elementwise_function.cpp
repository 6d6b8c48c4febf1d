// The registry of functions from outside.
#include "language/elementwise_function.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "core/registry.hpp"
#include "language/lexer_characters.hpp"
#include "language/operation_table.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMaxRegistered =
    std::numeric_limits<std::underlying_type_t<Operation>>::max() + 1U - kOperationCount;

Registry<ElementwiseFunction>& registry() {
  static Registry<ElementwiseFunction> functions({});
  return functions;
}

void refuse_unless(bool is_right, const ElementwiseFunction& function, const char* message) {
  if (!is_right) throw std::invalid_argument("function `" + function.name + "` " + message);
}

template <class T>
bool is_given(const ElementwiseMath<T>& math) {
  return math.value != nullptr && math.partial != nullptr;
}

// Those that regularizers and vectors have besides operations.
bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 7> of_the_binder = {"mean", "at_data",  "norm2",      "dot",
                                                             "kl",   "solution", "at_snapshot"};
  return std::ranges::find(of_the_binder, name) != of_the_binder.end();
}

void check_alone(const ElementwiseFunction& function) {
  const std::string& name = function.name;
  refuse_unless(is_identifier(name) && name.front() >= 'a' && name.front() <= 'z', function,
                "must be a name that starts with a lower-case letter");
  refuse_unless(!is_reserved(name) &&
                    std::ranges::find(kOperationTable, name, &OperationInfo::name) == kOperationTable.end(),
                function, "is there already");
  refuse_unless(function.arity >= 1 && function.arity <= kLargestArity, function,
                "must take 1, 2 or 3 arguments");
  refuse_unless(is_given(function.in_float) && is_given(function.in_double), function,
                "needs its value and partial derivatives in float and double");
  refuse_unless(!function.about.empty(), function, "has no description");
}

}  // namespace

Operation register_function(ElementwiseFunction function) {
  check_alone(function);
  const std::size_t position = registry().add(function, [&](const auto& others) {
    refuse_unless(others.size() < kMaxRegistered, function, "is one too many");
    refuse_unless(std::ranges::find(others, function.name, &ElementwiseFunction::name) == others.end(),
                  function, "is there already");
  });
  return static_cast<Operation>(kOperationCount + position);
}

const std::deque<ElementwiseFunction>& registered_functions() {
  return registry().items();
}

const ElementwiseFunction& registered_function(Operation operation) {
  return registered_functions()[static_cast<std::size_t>(operation) - kOperationCount];
}

}  // namespace greybox
