// The data files that a model names, and the tables read from them.
#include <fmt/format.h>

#include <algorithm>

#include "model/loaded_model.hpp"

namespace greybox {
namespace {

// `*` stands for any characters, `?` for one.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*')
    return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
  if (name.empty() || (pattern.front() != '?' && pattern.front() != name.front())) return false;
  return matches(pattern.substr(1), name.substr(1));
}

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

// The files of a folder that a pattern stands for, in the order of their names.
std::vector<std::filesystem::path> files_like(const std::filesystem::path& pattern) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = pattern.parent_path();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error))
    if (matches(pattern.filename().string(), entry.path().filename().string()))
      found.push_back(folder / entry.path().filename());
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<std::filesystem::path> data_paths(const ModelSpec& spec) {
  const std::filesystem::path folder = std::filesystem::path(spec.source->path).parent_path();
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : spec.data.files) {
    const std::filesystem::path path = folder / name;
    const std::vector<std::filesystem::path> found =
        is_pattern(path.filename().string()) && !std::filesystem::exists(path)
            ? files_like(path)
            : std::vector<std::filesystem::path>{path};
    for (const std::filesystem::path& one : found.empty() ? std::vector{path} : found)
      if (std::ranges::find(paths, one) == paths.end()) paths.push_back(one);
  }
  return paths;
}

std::filesystem::path data_path(const ModelSpec& spec) {
  const std::vector<std::filesystem::path> paths = data_paths(spec);
  return paths.empty() ? std::filesystem::path() : paths.front();
}

std::shared_ptr<const DataTable> read_own_table(const ModelSpec& spec) {
  if (spec.data.files.empty() && spec.data.span.line == 0)
    throw InputError(at(*spec.source, SourceSpan{}, "the table [data] is missing",
                        "add [data] with file = \"measurements.csv\""));
  if (spec.data.files.empty())
    throw InputError(at(*spec.source, spec.data.span, "`file` is missing in [data]",
                        "add `file`: a .csv, .tsv, .txt or .npz file, relative to the model file's folder"));
  const std::vector<std::filesystem::path> files = data_paths(spec);
  for (const std::filesystem::path& file : files)
    if (!std::filesystem::exists(file))
      throw InputError(
          at(*spec.source, spec.data.file_span, fmt::format("there is no data file {}", file.string()),
             "paths are relative to the model file; `greybox data` makes the data of the examples"));
  return with_own_inputs(spec, std::make_shared<const DataTable>(read_tables(files, spec.data.table)));
}

}  // namespace greybox
