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

// What became of the rows and windows of a table.
struct DataAccount {
  struct MissingCells {
    std::string column;
    std::size_t n = 0;
  };
  // As read.
  std::size_t n_rows = 0;
  // Of the columns that the model reads, in the order of the table; only those that miss some.
  std::vector<MissingCells> missing{};
  // Rows dropped for a missing value, those of them that had values of inputs, and rows at a series' ends
  // where an input is not known yet or no longer.
  std::size_t n_incomplete_rows = 0, n_rows_with_inputs = 0, n_rows_without_inputs = 0;
  // Rows of a time that another has: both sides of a step of an input.
  std::size_t n_repeated_rows = 0;
  // Windows left out: by `drop`; because what they start from is missing; because nothing is measured in
  // them; because they reach from one part of a split by time into the next.
  std::size_t n_dropped = 0, n_without_start = 0, n_without_values = 0, n_straddling = 0;
};

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
  std::size_t n_dropped_rows() const { return account_.n_incomplete_rows + account_.n_rows_without_inputs; }
  std::size_t n_dropped_windows() const { return account_.n_dropped; }
  const DataAccount& account() const { return account_; }

 private:
  void treat_missing_values();
  void add_columns();
  void add_inputs();
  bool is_own(std::size_t input) const;
  bool has_repeated_times() const;
  void check_repeated_times() const;
  InputSignal make_signal(std::size_t input, const Column& values) const;
  std::vector<double> at_rows(const InputSignal& signal, bool is_bolus) const;
  void check_covered(const std::vector<Window>& windows) const;
  void add_smoothed_starts();
  WindowOptions window_options() const;
  SplitOptions split_options() const;
  double in_unit_of_time(double seconds, const SourceSpan& span) const;
  void drop_windows(std::vector<Window>& windows);
  void drop_unusable(std::vector<Window>& windows);

  std::shared_ptr<const BoundModel> model_;
  DataTable table_;
  WindowData data_;
  std::shared_ptr<InputSignals> signals_;
  SplitOptions split_;
  DataAccount account_;
};

}  // namespace greybox
