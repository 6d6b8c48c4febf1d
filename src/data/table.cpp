// Tables and the choice of their reader by the file's name.
#include "data/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/csv_table.hpp"
#include "data/long_table.hpp"
#include "data/mistakes.hpp"
#include "data/npz_table.hpp"

namespace greybox {
namespace {

// What is read of a file for a single value.
constexpr std::size_t kPage = 4096;

std::string lower_case_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

void require_file(const std::filesystem::path& file) {
  const Place place{file.string(), ""};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    place.refuse("there is no such file", "check the path");
  }
  if (std::filesystem::is_directory(status)) {
    place.refuse("this is a folder, not a file", "give the path of the data file itself");
  }
}

}  // namespace

double Column::at(std::size_t row, std::size_t point) const {
  return std::visit(
      [&](const auto& kept) {
        if (kept.is_in_file()) kept.in_file().file->add_read(kPage);
        return static_cast<double>(kept[row * points() + point]);
      },
      values);
}

const Column* DataTable::find(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

DataTable read_table(const std::filesystem::path& file, const TableOptions& options) {
  require_file(file);
  const std::string extension = lower_case_extension(file);
  if (extension == ".npz") return read_npz_table(file, options);
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt")
    return options.variable_column.empty() ? read_csv_table(file, options) : read_long_table(file, options);
  Place{file.string(), ""}.refuse(
      fmt::format("cannot tell the format from the name's ending {}", in_backquotes(extension)),
      extension == ".npy" ? "save it as an archive with a name for each array: np.savez(\"data.npz\", x=x)"
                          : "data files are .csv, .tsv, .txt or .npz; from a spreadsheet, export CSV");
}

}  // namespace greybox
