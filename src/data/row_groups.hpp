// Rows grouped into series: which row belongs where, and the time within each series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/mistakes.hpp"
#include "data/table.hpp"

namespace greybox {

// Where a name the user chose, or else the usual one, stands among `names`; throws InputError when a chosen
// one is missing, unless it may lack: then the usual one is looked for.
std::optional<std::size_t> find_role(std::span<const std::string> names, const std::string& chosen,
                                     std::string_view usual, const Place& place, bool may_lack = false);

// The series of each row, in the order of the file.
class RowGroups {
 public:
  void add(std::string_view series);  // of the next row
  // Sets the table's series; rows that are not consecutive are gathered, keeping their order. Without any row
  // added, the whole table is one series.
  void apply(DataTable& table) const;

 private:
  struct Run {
    std::uint32_t series = 0;
    std::size_t first_row = 0;
    std::size_t n_rows = 0;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  void gather_rows(DataTable& table) const;

  std::vector<std::string> names_;  // in order of first appearance
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
  std::vector<Run> runs_;
  std::size_t n_rows_ = 0;
};

// Where a value stands in its file: a row and column of a CSV, an array, series and step of an npz.
Place place_of(const DataTable& table, std::size_t row, std::string_view column);

// Throws InputError when a name could steer the terminal that it is printed on.
void check_names(const DataTable& table);

void number_rows(DataTable& table);  // time 0, 1, 2, … within each series
// Throws InputError unless time increases within each series, strictly unless it may repeat; `name` is what
// the file calls it.
void check_time(const DataTable& table, std::string_view name, bool may_repeat = false);

}  // namespace greybox
