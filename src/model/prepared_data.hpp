// A model's data, ready for use: columns made and cleaned, cut into windows, split.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/samples.hpp"

namespace greybox {

// Column names that a model may use once this table is prepared for it.
std::vector<std::string> column_names(const ModelSpec& spec, const DataTable& table);

class PreparedData {
 public:
  // Takes over a table as read; adds the model's own columns and inputs, treats missing values, cuts windows.
  PreparedData(std::shared_ptr<const BoundModel> model, DataTable table);
  PreparedData(const PreparedData&) = delete;
  PreparedData& operator=(const PreparedData&) = delete;

  const DataTable& table() const { return table_; }
  const WindowData& windows() const { return data_; }
  // Indices of windows. Throws InputError when the model's split cannot be made of these data.
  std::vector<std::size_t> of_split(Split split) const;
  std::vector<std::size_t> all() const;
  // Rows left out because a value was missing, and windows left out by `drop`.
  std::size_t n_dropped_rows() const { return n_dropped_rows_; }
  std::size_t n_dropped_windows() const { return n_dropped_windows_; }

 private:
  void add_columns();
  void drop_windows(std::vector<Window>& windows);

  std::shared_ptr<const BoundModel> model_;
  DataTable table_;
  WindowData data_;
  std::size_t n_dropped_rows_ = 0, n_dropped_windows_ = 0;
};

}  // namespace greybox
