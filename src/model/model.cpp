// The public face of a model and of a dataset.
#include "greybox/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "greybox/dataset.hpp"
#include "model/loaded_model.hpp"

namespace greybox {
namespace {

// Binds the model to the columns of its own data file, where that can be read: messages then know more.
void bind_to_own_columns(const std::shared_ptr<const ModelSpec>& spec) {
  std::vector<std::string> columns;
  try {
    columns = column_names(*spec, *read_own_table(*spec));
  } catch (const std::exception&) {
    return;
  }
  bind_model(spec, &columns);
}

}  // namespace

Model::Model(std::shared_ptr<const ModelSpec> spec) : spec_(std::move(spec)) {
  try {
    bind_model(spec_, nullptr);
  } catch (const InputError&) {
    bind_to_own_columns(spec_);
    throw;
  }
}

Model Model::read(const std::filesystem::path& file) {
  return Model(std::make_shared<const ModelSpec>(read_model_spec(file)));
}

Model Model::parse(std::string text, const std::string& name) {
  return Model(std::make_shared<const ModelSpec>(parse_model_spec(std::move(text), name)));
}

const std::string& Model::name() const {
  return spec_->name;
}

const std::string& Model::about() const {
  return spec_->about;
}

const std::string& Model::text() const {
  return spec_->source->text;
}

std::vector<ParameterInfo> Model::parameters() const {
  std::vector<ParameterInfo> parameters;
  for (const ParameterSpec& p : spec_->parameters)
    parameters.push_back({p.name, p.unit, p.about, to_string(p.prior), p.low, p.high});
  return parameters;
}

std::vector<std::string> Model::states() const {
  std::vector<std::string> names;
  for (const Equation& equation : spec_->is_algebraic() ? spec_->theory : spec_->state)
    names.push_back(equation.name);
  return names;
}

std::vector<std::string> Model::outputs() const {
  const std::shared_ptr<const BoundModel> bound = bind_model(spec_, nullptr);
  std::vector<std::string> names;
  for (const Observed& observed : bound->observed) names.push_back(observed.name);
  return names;
}

std::vector<RegularizerInfo> Model::regularizers() const {
  std::vector<RegularizerInfo> regularizers;
  for (const Equation& equation : spec_->regularizers) regularizers.push_back({equation.name, equation.text});
  return regularizers;
}

bool Model::is_algebraic() const {
  return spec_->is_algebraic();
}

std::filesystem::path Model::data_file() const {
  return data_path(*spec_);
}

const TableOptions& Model::table_options() const {
  return spec_->data.table;
}

Table Model::read_table(const std::filesystem::path& file) const {
  return Table::read(file, spec_->data.table);
}

Table Model::read_table() const {
  return Table(read_own_table(*spec_));
}

Table Model::read_input(const std::string& input, const std::filesystem::path& file) const {
  std::vector<std::string> names;
  for (const Equation& known : spec_->inputs) names.push_back(known.name);
  const auto found = std::ranges::find(names, input);
  if (found == names.end()) {
    const auto near = nearest_name(input, names);
    refuse_option("inputs", fmt::format("the model has no input `{}`", input),
                  near            ? fmt::format("did you mean `{}`?", *near)
                  : names.empty() ? "it has none"
                                  : fmt::format("it has {}", fmt::join(names, ", ")));
  }
  return Table::read(file, input_options(*spec_, static_cast<std::size_t>(found - names.begin())));
}

Dataset::Dataset(const Model& model, const Table& table)
    : model_(model),
      table_(with_own_inputs(*model.spec(), table.data())),
      loaded_(std::make_shared<const LoadedModel>(assemble(model.spec(), table_.data()))) {}

Dataset::Dataset(const Model& model) : Dataset(model, model.read_table()) {}

std::size_t Dataset::n_windows() const {
  return loaded_->data->windows().windows.size();
}

std::size_t Dataset::n_windows(Split split) const {
  return loaded_->data->of_split(split).size();
}

std::vector<WindowInfo> Dataset::windows() const {
  const PreparedData& data = *loaded_->data;
  std::vector<WindowInfo> windows;
  for (const Window& window : data.windows().windows)
    windows.push_back(
        {data.table().series[window.series].name, data.table().time[window.first_row], window.n_rows});
  for (Split split : {Split::train, Split::validation, Split::test})
    for (std::size_t index : data.of_split(split)) windows[index].split = split;
  return windows;
}

std::size_t Dataset::n_dropped_rows() const {
  return loaded_->data->n_dropped_rows();
}

std::size_t Dataset::n_dropped_windows() const {
  return loaded_->data->n_dropped_windows();
}

}  // namespace greybox
