#include "model/row_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/memory_limit.hpp"
#include "core/name_list.hpp"
#include "core/nearest_name.hpp"
#include "model/expression_binder.hpp"

namespace greybox {
namespace {

constexpr std::uint32_t kTimeLeaf = 0;  // leaf ids after it count the table's columns

class RowBinder final : public ExpressionBinder {
 public:
  RowBinder(std::shared_ptr<const ModelSpec> spec, const DataTable& table)
      : ExpressionBinder(std::move(spec), own_graph_), table_(&table) {}

  NodeId bind(const Equation& equation) { return scalar_or_field(*equation.syntax, equation, Context::row); }
  const Graph& bound() const { return own_graph_; }
  const std::vector<NodeId>& leaves() const { return leaves_; }

 private:
  Value name(const Syntax& syntax, const Equation& equation, Context) override {
    if (syntax.text == "pi") return {{graph().constant(std::numbers::pi)}};
    const bool is_time = syntax.text == "t" || (syntax.text == "clock" && table_->find("clock") == nullptr);
    if (is_time) return {{leaf(kTimeLeaf, Shape::scalar)}};
    if (const auto operation = spec().coordinate(syntax.text)) return {{coordinate(*operation)}};
    std::vector<std::string> known;
    for (std::size_t c = 0; c < table_->columns.size(); ++c) {
      const Column& column = table_->columns[c];
      known.push_back(column.name);
      if (column.name == syntax.text)
        return {{leaf(static_cast<std::uint32_t>(c + 1), column.is_field() ? Shape::field : Shape::scalar)}};
    }
    const auto near = nearest_name(syntax.text, known);
    fail(equation, syntax.range, fmt::format("`{}` is not a column of the data", syntax.text),
         near ? fmt::format("did you mean `{}`?", *near)
              : fmt::format("{} has the columns {}", table_->file, name_list(known)));
  }

  NodeId leaf(std::uint32_t id, Shape shape) {
    const NodeId node = graph().leaf({id, shape, Rate::sample, 0});
    if (std::find(leaves_.begin(), leaves_.end(), node) == leaves_.end()) leaves_.push_back(node);
    return node;
  }

  Graph own_graph_;
  const DataTable* table_;
  std::vector<NodeId> leaves_;
};

Grid grid_of(const ModelSpec& spec, const DataTable& table, const RowBinder& binder) {
  Grid grid = spec.grid.grid;
  for (NodeId leaf : binder.leaves()) {
    const std::uint32_t id = binder.bound()[leaf].leaf_id;
    if (id == kTimeLeaf || !table.columns[id - 1].is_field()) continue;
    grid.height = table.columns[id - 1].height;
    grid.width = table.columns[id - 1].width;
  }
  return grid;
}

// What is made of a missing value is missing, also where arithmetic would hide it: `x > 5` is 0 for NaN.
void blank_incomplete(const RowBinder& binder, const DataTable& table, std::vector<double>& values) {
  for (NodeId leaf : binder.leaves()) {
    const std::uint32_t id = binder.bound()[leaf].leaf_id;
    if (id == kTimeLeaf || table.columns[id - 1].is_field()) continue;
    for (std::size_t row = 0; row < values.size(); ++row)
      if (std::isnan(table.columns[id - 1].at(row))) values[row] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

std::vector<std::string> columns_read(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                                      const DataTable& table) {
  RowBinder binder(spec, table);
  binder.bind(equation);
  std::vector<std::string> names;
  for (NodeId leaf : binder.leaves())
    if (const std::uint32_t id = binder.bound()[leaf].leaf_id; id != kTimeLeaf)
      names.push_back(table.columns[id - 1].name);
  return names;
}

Column evaluate_rows(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                     const DataTable& table) {
  RowBinder binder(spec, table);
  const NodeId root = binder.bind(equation);
  const Grid grid = grid_of(*spec, table, binder);
  const Program program(binder.bound(), binder.leaves(), std::span(&root, 1), grid);
  const bool is_field = binder.bound()[root].shape == Shape::field;
  const std::size_t points = is_field ? grid.points() : 1;
  require_memory(
      static_cast<double>(table.n_rows() * points * sizeof(double)),
      [&] { return fmt::format("`{}`, which the model makes of every row,", equation.name); },
      "store it in the data file");
  std::vector<double> values(table.n_rows() * points);

  constexpr std::size_t rows_at_once = 256;
  const std::size_t n_points = std::max<std::size_t>(grid.points(), 1);
  const std::size_t chunk = std::max<std::size_t>(1, rows_at_once / n_points);
  Frame<double> frame(program, chunk);
  std::vector<AlignedBuffer<double>> inputs;
  for (std::size_t i = 0; i < binder.leaves().size(); ++i) {
    inputs.emplace_back(padded<double>(chunk * n_points));
    frame.bind(i, inputs[i].data());
  }
  for (std::size_t first = 0; first < table.n_rows(); first += chunk) {
    const std::size_t n = std::min(chunk, table.n_rows() - first);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::uint32_t id = binder.bound()[binder.leaves()[i]].leaf_id;
      double* to = inputs[i].data();
      if (id == kTimeLeaf)
        std::copy_n(table.time.begin() + static_cast<std::ptrdiff_t>(first), n, to);
      else
        table.columns[id - 1].for_each(first, n, [&](double value) { *to++ = value; });
    }
    for (std::size_t section = 0; section < program.n_sections(); ++section) frame.forward(section, n);
    std::copy_n(frame.value(program.output(0)), n * points,
                values.begin() + static_cast<std::ptrdiff_t>(first * points));
  }
  if (!is_field) blank_incomplete(binder, table, values);
  return {equation.name, is_field ? grid.height : 1, is_field ? grid.width : 1, std::move(values)};
}

}  // namespace greybox
