#include "model/loaded_model.hpp"

#include <algorithm>

#include "model/name_collisions.hpp"
#include "model/row_shape.hpp"
#include "model/settled_method.hpp"
#include "model/settled_scales.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

std::vector<ExtraRegularizer> beyond_the_file(const ModelSpec& spec,
                                              const std::vector<std::string>& expressions) {
  std::vector<ExtraRegularizer> extra;
  for (const std::string& expression : expressions) {
    const auto is_named = [&](const auto& known) { return known.name == expression; };
    if (std::none_of(spec.regularizers.begin(), spec.regularizers.end(), is_named) &&
        std::none_of(extra.begin(), extra.end(), is_named))
      extra.push_back({expression, expression});
  }
  return extra;
}

// Without a list of fields, those variables are fields that the data have as such.
std::shared_ptr<const ModelSpec> with_shapes(std::shared_ptr<const ModelSpec> spec, const DataTable& table) {
  if (!spec->grid.is_given || !spec->grid.fields.empty()) return spec;
  std::vector<std::string> scalars;
  for (const Column& column : table.columns)
    if (!column.is_field()) scalars.push_back(column.name);
  const auto is_field = [&](const std::string& name) {
    return name != "t" && name != "pi" && std::ranges::find(scalars, name) == scalars.end();
  };
  const auto is_scalar = [&](const Equation& made) {
    return table.find_input(made.name) != nullptr || row_shape(*made.syntax, is_field) == Shape::scalar;
  };
  for (const std::vector<Equation>* made : {&spec->data.columns, &spec->inputs})
    for (const Equation& equation : *made)
      if (is_scalar(equation)) scalars.push_back(equation.name);
  if (scalars.empty() || scalars == spec->grid.scalars) return spec;
  ModelSpec shaped = *spec;
  shaped.grid.scalars = std::move(scalars);
  return std::make_shared<const ModelSpec>(std::move(shaped));
}

}  // namespace

LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<ExtraRegularizer>& regularizers) {
  LoadedModel loaded;
  if (table) table = with_own_inputs(*spec, std::move(table));
  loaded.spec = table ? with_shapes(std::move(spec), *table) : std::move(spec);
  if (!table) {
    loaded.model = bind_model(loaded.spec, nullptr, regularizers);
  } else {
    refuse_collisions(*loaded.spec, *table);
    const std::vector<std::string> columns = column_names(*loaded.spec, *table);
    loaded.model = bind_model(loaded.spec, &columns, regularizers);
    loaded.data = std::make_shared<const PreparedData>(loaded.model, *table);
    if (!loaded.spec->scales && has_scales(*loaded.spec)) {
      loaded.spec = with_scales(*loaded.spec, settle_scales(*loaded.model, *loaded.data));
      loaded.model = bind_model(loaded.spec, &columns, regularizers);
    }
    if (loaded.spec->has_learned_starts()) {
      Scales scales = *loaded.spec->scales;
      scales.starts = slots_of(*loaded.model, *loaded.data);
      if (scales.starts != loaded.spec->scales->starts) {
        loaded.spec = with_scales(*loaded.spec, std::move(scales));
        loaded.model = bind_model(loaded.spec, &columns, regularizers);
      }
    }
    const SolverSpec& solver = loaded.spec->solver;
    if (!solver.is_settled && (solver.is_automatic || !solver.is_given)) {
      loaded.spec =
          (solver.is_automatic ? settle_method : settle_unstated_method)(loaded.spec, columns, *loaded.data);
      loaded.model = bind_model(loaded.spec, &columns, regularizers);
    }
  }
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  return loaded;
}

LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<std::string>& regularizers) {
  const std::vector<ExtraRegularizer> extra = beyond_the_file(*spec, regularizers);
  return assemble(std::move(spec), std::move(table), extra);
}

LoadedModel load_model(const std::filesystem::path& model_file) {
  const auto spec = std::make_shared<const ModelSpec>(read_model_spec(model_file));
  return assemble(spec, read_own_table(*spec));
}

}  // namespace greybox
