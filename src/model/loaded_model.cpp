#include "model/loaded_model.hpp"

#include <fmt/format.h>

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

std::filesystem::path data_path(const ModelSpec& spec) {
  return std::filesystem::path(spec.source->path).parent_path() / spec.data.file;
}

LoadedModel load_model(const std::filesystem::path& model_file, const LoadOptions& options) {
  LoadedModel loaded;
  loaded.spec = std::make_shared<const ModelSpec>(read_model_spec(model_file));
  const std::vector<ExtraRegularizer> extra = beyond_the_file(*loaded.spec, options.extra_regularizers);
  const bool is_own = options.data.empty();
  const std::filesystem::path file = is_own ? data_path(*loaded.spec) : options.data;
  if (!options.table && !std::filesystem::exists(file) && options.data_may_be_missing) {
    loaded.model = bind_model(loaded.spec, nullptr, extra);
    loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
    return loaded;
  }
  if (!options.table && is_own && !std::filesystem::exists(file))
    throw InputError(
        at(*loaded.spec->source, loaded.spec->data.file_span,
           fmt::format("there is no data file {}", file.string()),
           "paths are relative to the model file; `greybox data` makes the data of the examples"));
  Table table = options.table ? *options.table : read_table(file, loaded.spec->data.table);
  const std::vector<std::string> columns = column_names(*loaded.spec, table);
  loaded.model = bind_model(loaded.spec, &columns, extra);
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  loaded.data = std::make_shared<const Dataset>(loaded.model, std::move(table));
  return loaded;
}

}  // namespace greybox
