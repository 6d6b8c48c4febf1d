#include "model/loaded_model.hpp"

#include <fmt/format.h>

#include <algorithm>

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

bool reads_only(const Syntax& syntax, const std::vector<std::string>& scalars) {
  if (syntax.kind == SyntaxKind::name && syntax.text != "t" && syntax.text != "pi" &&
      std::find(scalars.begin(), scalars.end(), syntax.text) == scalars.end())
    return false;
  return std::all_of(syntax.children.begin(), syntax.children.end(),
                     [&](const SyntaxPtr& child) { return reads_only(*child, scalars); });
}

// Without a list of fields, those variables are fields that the data have as such.
std::shared_ptr<const ModelSpec> with_shapes(std::shared_ptr<const ModelSpec> spec, const DataTable& table) {
  if (!spec->grid.is_given || !spec->grid.fields.empty()) return spec;
  std::vector<std::string> scalars;
  for (const Column& column : table.columns)
    if (!column.is_field()) scalars.push_back(column.name);
  for (const std::vector<Equation>* made : {&spec->data.columns, &spec->inputs})
    for (const Equation& equation : *made)
      if (reads_only(*equation.syntax, scalars)) scalars.push_back(equation.name);
  if (scalars.empty() || scalars == spec->grid.scalars) return spec;
  ModelSpec shaped = *spec;
  shaped.grid.scalars = std::move(scalars);
  return std::make_shared<const ModelSpec>(std::move(shaped));
}

}  // namespace

std::filesystem::path data_path(const ModelSpec& spec) {
  if (spec.data.file.empty()) return {};
  return std::filesystem::path(spec.source->path).parent_path() / spec.data.file;
}

std::shared_ptr<const DataTable> read_own_table(const ModelSpec& spec) {
  if (spec.data.file.empty() && spec.data.span.line == 0)
    throw InputError(at(*spec.source, SourceSpan{}, "the table [data] is missing",
                        "add [data] with file = \"measurements.csv\""));
  if (spec.data.file.empty())
    throw InputError(at(*spec.source, spec.data.span, "`file` is missing in [data]",
                        "add `file`: a .csv, .tsv, .txt or .npz file, relative to the model file's folder"));
  const std::filesystem::path file = data_path(spec);
  if (!std::filesystem::exists(file))
    throw InputError(
        at(*spec.source, spec.data.file_span, fmt::format("there is no data file {}", file.string()),
           "paths are relative to the model file; `greybox data` makes the data of the examples"));
  return std::make_shared<const DataTable>(read_table(file, spec.data.table));
}

LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<ExtraRegularizer>& regularizers) {
  LoadedModel loaded;
  loaded.spec = table ? with_shapes(std::move(spec), *table) : std::move(spec);
  if (!table) {
    loaded.model = bind_model(loaded.spec, nullptr, regularizers);
  } else {
    const std::vector<std::string> columns = column_names(*loaded.spec, *table);
    loaded.model = bind_model(loaded.spec, &columns, regularizers);
  }
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  if (table) loaded.data = std::make_shared<const PreparedData>(loaded.model, *table);
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
