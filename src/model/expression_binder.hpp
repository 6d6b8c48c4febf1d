// Turns expressions into graph nodes; what a name means is up to the derived class.
#pragma once

#include <string>
#include <vector>

#include "model/bound_model.hpp"

namespace greybox {

// What a name or expression stands for: one node, or several for a vector (`theory`, `enc.z`).
struct Value {
  std::vector<NodeId> parts;
  bool is_vector = false;
  // Of the parts in norm2 and dot; empty: 1 each.
  std::vector<double> weights = {};
};

// Where an equation stands decides what its names may mean.
enum class Context : std::uint8_t { row, initial, model, observe, estimator };

class ExpressionBinder {
 public:
  ExpressionBinder(std::shared_ptr<const ModelSpec> spec, Graph& graph)
      : spec_(std::move(spec)), graph_(&graph) {}
  virtual ~ExpressionBinder() = default;

  Value expression(const Syntax& syntax, const Equation& equation, Context context);
  NodeId scalar_or_field(const Syntax& syntax, const Equation& equation, Context context);

 protected:
  virtual Value name(const Syntax& syntax, const Equation& equation, Context context) = 0;
  // What a function stands for that is not one of values alone; none: it is looked up among the operations.
  virtual std::optional<Value> call_of_model(const Syntax&, const Equation&, Context) { return std::nullopt; }
  // Throws InputError that points at `range` of the equation.
  [[noreturn]] virtual void fail(const Equation& equation, TextRange range, std::string message,
                                 std::string help) const;

  Operation operation_of(const Syntax& syntax,
                         const Equation& equation) const;  // of a binary or a call, arity checked
  // The values of `x` (grid_x) or `y` (grid_y) on the model's grid.
  NodeId coordinate(Operation operation);
  void need_arguments(const Syntax& syntax, const Equation& equation, std::size_t n) const;
  const ModelSpec& spec() const { return *spec_; }
  Graph& graph() { return *graph_; }

 private:
  Value call(const Syntax& syntax, const Equation& equation, Context context);
  Value elementwise(Operation operation, const std::vector<Value>& arguments, const Syntax& syntax,
                    const Equation& equation);
  NodeId sum_of_products(const Value& a, const Value& b, const Syntax& syntax, const Equation& equation);
  void need_fields(Operation operation, const Value& value, const Syntax& call,
                   const Equation& equation) const;

  std::shared_ptr<const ModelSpec> spec_;
  Graph* graph_;
};

}  // namespace greybox
