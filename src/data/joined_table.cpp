// Several files as one table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "data/mistakes.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

std::vector<std::string> names_of(const DataTable& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

// The columns of `part` in the order of `first`.
std::vector<const Column*> matched_columns(const DataTable& first, const DataTable& part) {
  std::vector<const Column*> columns;
  for (const Column& wanted : first.columns) {
    const Column* found = part.find(wanted.name);
    if (found == nullptr || part.columns.size() != first.columns.size())
      Place{part.file, ""}.refuse(
          fmt::format("its columns are {}, and those of {} are {}", fmt::join(names_of(part), ", "),
                      first.file, fmt::join(names_of(first), ", ")),
          "files that are read together need the same columns");
    columns.push_back(found);
  }
  if (part.time_name.empty() != first.time_name.empty() || part.has_dates != first.has_dates)
    Place{part.file, ""}.refuse(fmt::format("its times are not like those of {}", first.file),
                                "files that are read together need the same kind of time column");
  return columns;
}

void append(Column& to, const Column& from) {
  if (const auto* single = std::get_if<SharedValues<float>>(&to.values); single != nullptr)
    to.values = std::vector<double>(single->begin(), single->end());
  std::get<SharedValues<double>>(to.values).change([&](std::vector<double>& kept) {
    std::visit([&](const auto& more) { kept.insert(kept.end(), more.begin(), more.end()); }, from.values);
  });
}

class Joiner {
 public:
  explicit Joiner(DataTable first) : table_(std::move(first)) {
    const std::string file = table_.file;
    name_series(table_, file);
  }

  void add(DataTable part) {
    const std::vector<const Column*> columns = matched_columns(table_, part);
    for (std::size_t c = 0; c < columns.size(); ++c) append(table_.columns[c], *columns[c]);
    name_series(part, part.file);
    for (Series series : part.series) {
      series.first_row += table_.n_rows();
      table_.series.push_back(std::move(series));
    }
    table_.time.insert(table_.time.end(), part.time.begin(), part.time.end());
    table_.lines.insert(table_.lines.end(), part.lines.begin(), part.lines.end());
    ++n_files_;
  }

  // A run keeps a copy of it: no one file has these rows.
  DataTable take() {
    table_.file += fmt::format(" and {} more", n_files_ - 1);
    table_.is_file = false;
    table_.sha256 = content_digest(table_);
    return std::move(table_);
  }

 private:
  void name_series(DataTable& part, const std::string& file) {
    for (Series& series : part.series) {
      if (series.name == kWholeFile && part.series.size() == 1)
        series.name = std::filesystem::path(file).stem().string();
      series.file = file;
      const auto [known, is_new] = files_.emplace(series.name, file);
      if (!is_new)
        Place{file, ""}.refuse(
            fmt::format("its series {} is also in {}", in_backquotes(series.name), known->second),
            "give each series a name of its own, or rename one of the files");
    }
  }

  DataTable table_;
  std::size_t n_files_ = 1;
  std::unordered_map<std::string, std::string> files_;
};

}  // namespace

DataTable read_tables(const std::vector<std::filesystem::path>& files, const TableOptions& options) {
  if (files.size() == 1) return read_table(files.front(), options);
  Joiner joiner(read_table(files.front(), options));
  for (std::size_t i = 1; i < files.size(); ++i) joiner.add(read_table(files[i], options));
  return joiner.take();
}

}  // namespace greybox
