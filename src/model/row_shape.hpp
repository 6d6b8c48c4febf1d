// Whether the value of an equation in a row of the data is a number or a field.
#pragma once

#include <concepts>
#include <string>

#include "language/graph.hpp"
#include "language/syntax.hpp"

namespace greybox {

// `is_field` says of a name what it stands for. Sums over the grid, norm2(…) and dot(…, …), are numbers.
template <std::predicate<const std::string&> IsField>
Shape row_shape(const Syntax& syntax, const IsField& is_field) {
  if (syntax.kind == SyntaxKind::call && (syntax.text == "norm2" || syntax.text == "dot"))
    return Shape::scalar;
  if (syntax.kind == SyntaxKind::name) return is_field(syntax.text) ? Shape::field : Shape::scalar;
  for (const SyntaxPtr& child : syntax.children)
    if (row_shape(*child, is_field) == Shape::field) return Shape::field;
  return Shape::scalar;
}

}  // namespace greybox
