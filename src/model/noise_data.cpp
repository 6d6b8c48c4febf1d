#include "model/noise_data.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/row_groups.hpp"
#include "model/settled_scales.hpp"

namespace greybox {

void refuse_impossible_values(const BoundModel& model, const DataTable& table) {
  if (!model.has_noise()) return;
  for (const Observed& observed : model.observed) {
    const Column* column = table.find(observed.name);
    if (column == nullptr) continue;
    std::size_t i = 0;
    column->for_each([&](double value) {
      const std::size_t row = i++ / column->points();
      const std::string_view fault =
          std::isnan(value) ? std::string_view{} : observed.noise->family->fault(value);
      if (fault.empty()) return;
      place_of(table, row, observed.name)
          .refuse(fmt::format("`{}` is {}, and {}", observed.name, value, fault),
                  fmt::format("choose another `kind` for `{}` in [noise], mend the value, or leave its cell "
                              "empty",
                              observed.name));
    });
  }
}

double measured_spread(const LoadedModel& loaded, const Observed& observed) {
  const WindowData& data = loaded.data->windows();
  const Column& column = *data.columns[observed.column];
  std::vector<std::size_t> windows = loaded.data->of_split(Split::train);
  if (windows.empty()) windows = loaded.data->all();
  double n = 0, mean = 0, squares = 0;
  for (std::size_t w : windows)
    column.for_each(data.windows[w].first_row, data.windows[w].n_rows, [&](double value) {
      if (!std::isfinite(value)) return;
      n += 1;
      const double off = value - mean;
      mean += off / n;
      squares += off * (value - mean);
    });
  const double sd = n > 0 ? std::sqrt(squares / n) : 0;
  return sd > 0 ? sd : std::fmax(std::fabs(mean), 1e-6);
}

LoadedModel with_noise(LoadedModel loaded, const std::map<std::string, double>& noise) {
  if (noise.empty()) return loaded;
  BoundModel model = *loaded.model;
  for (Observed& observed : model.observed)
    if (const auto found = noise.find(observed.name); found != noise.end())
      observed.noise->spread = found->second;
  Scales scales = loaded.spec->scales.value_or(Scales{});
  scales.noise = noise;
  loaded.spec = with_scales(*loaded.spec, std::move(scales));
  loaded.model = std::make_shared<const BoundModel>(std::move(model));
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  return loaded;
}

LoadedModel without_noise(LoadedModel loaded) {
  if (!loaded.model->has_noise()) return loaded;
  BoundModel model = *loaded.model;
  for (Observed& observed : model.observed) observed.noise.reset();
  loaded.model = std::make_shared<const BoundModel>(std::move(model));
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  return loaded;
}

}  // namespace greybox
