// A dataset: a table prepared for a model. Columns are made and cleaned, rows are cut into windows, windows
// are split.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "greybox/model.hpp"
#include "greybox/selection.hpp"
#include "greybox/table.hpp"

namespace greybox {

struct LoadedModel;

// One window: consecutive snapshots of a series.
struct WindowInfo {
  std::string series;
  double start = 0;
  std::size_t n_snapshots = 0;
  Split split = Split::train;
};

// Immutable, and cheap to copy.
class Dataset {
 public:
  // Throws InputError when the table does not fit the model: a column is missing, a cell is missing where
  // [data] does not say what to do, no window is left, or the split cannot be made.
  Dataset(const Model& model, const Table& table);
  // The model's own data file.
  explicit Dataset(const Model& model);

  const Model& model() const { return model_; }
  const Table& table() const { return table_; }
  std::size_t n_windows() const;
  std::size_t n_windows(Split split) const;
  std::vector<WindowInfo> windows() const;
  // Rows left out because a value was missing (`missing = "drop"`), and windows left out by `drop`.
  std::size_t n_dropped_rows() const;
  std::size_t n_dropped_windows() const;

  // For the library's own use.
  const LoadedModel& loaded() const { return *loaded_; }

 private:
  Model model_;
  Table table_;
  std::shared_ptr<const LoadedModel> loaded_;
};

}  // namespace greybox
