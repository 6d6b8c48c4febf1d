#include "analysis/run/first_input.hpp"

#include <algorithm>
#include <vector>

namespace greybox {
namespace {

std::vector<std::size_t> unpredicted_columns(const BoundModel& model) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < model.columns.size(); ++c)
    if (std::ranges::none_of(model.observed, [&](const Observed& observed) { return observed.column == c; }))
      columns.push_back(c);
  return columns;
}

}  // namespace

std::optional<std::size_t> first_input(const BoundModel& model) {
  const std::vector<std::size_t> columns = unpredicted_columns(model);
  if (columns.empty()) return {};
  return columns.front();
}

std::size_t n_inputs(const BoundModel& model) {
  return unpredicted_columns(model).size();
}

}  // namespace greybox
