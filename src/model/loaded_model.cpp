#include "model/loaded_model.hpp"

#include <algorithm>

#include "model/name_collisions.hpp"

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

}  // namespace

LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<ExtraRegularizer>& regularizers) {
  LoadedModel loaded;
  loaded.spec = std::move(spec);
  if (!table) {
    loaded.model = bind_model(loaded.spec, nullptr, regularizers);
  } else {
    refuse_collisions(*loaded.spec, *table);
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
