// A first model of fields: they spread by diffusion, and a network adds what that lacks.
#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/model_draft.hpp"

namespace greybox {
namespace {

// What is seen of a field is about this part of its width wide.
constexpr double kPartsOfWidth = 6;

// With points one unit apart: what spreads over a part of the width in the time in which the field changes.
double diffusivity_of(const TableProfile& profile, const ColumnProfile& field) {
  const double length = std::max(1.0, static_cast<double>(field.width) / kPartsOfWidth);
  return length * length * rate_of(profile, field);
}

}  // namespace

ModelDraft field_draft(const TableProfile& profile, const std::string& file) {
  ModelDraft draft;
  for (const ColumnProfile& column : profile.columns) {
    if (!column.is_field()) {
      draft.notes.push_back("`" + column.name + "` is left out: add it as an input");
      continue;
    }
    if (column.is_constant) continue;
    const bool is_first = !draft.has_grid();
    if (is_first) {
      draft.grid_height = column.height;
      draft.grid_width = column.width;
    }
    if (column.height != draft.grid_height || column.width != draft.grid_width) {
      draft.notes.push_back("`" + column.name + "` is left out: it is on another grid");
      continue;
    }
    draft.state.emplace_back(column.name, column.name);
    draft.observe.emplace_back(column.name, column.name);
    const std::string diffusivity = "diffusivity_" + column.name;
    draft.theory.emplace_back(column.name, diffusivity + " * laplacian(" + column.name + ")");
    draft.parameters.push_back({diffusivity, diffusivity_of(profile, column),
                                "how fast it spreads, in squared points per unit of time"});
    draft.network_inputs.push_back(column.name);
    draft.network_outputs.push_back(column.name);
  }
  if (draft.state.empty())
    refuse(file, "no field varies in its middle", "a model needs something that changes");
  return draft;
}

}  // namespace greybox
