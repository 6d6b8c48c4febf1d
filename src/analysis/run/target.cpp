#include "analysis/run/target.hpp"

#include <fmt/format.h>

#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr const char* kEach = "each";

}  // namespace

Target parse_target(const std::string& on, const std::filesystem::path& data) {
  if (on.empty()) return {.data = data};
  if (on == kEach) return {.data = data, .is_each = true};
  if (!is_split(on) && std::filesystem::exists(on)) return {.data = on};
  if (on.find('=') != std::string::npos) return {.points = parse_input_points(on), .text = on};
  const bool looks_like_file = on.find('.') != std::string::npos || on.find('/') != std::string::npos;
  if (looks_like_file)
    throw InputError(Diagnostic{.file = "--on",
                                .message = fmt::format("there is no data file {}", on),
                                .help = "give a split, `each`, a file, or grid points such as x=-3:3:200"});
  return {.data = data, .split = on};
}

OpenedTarget open_target(const std::filesystem::path& folder, const Target& target,
                         const std::vector<std::string>& regularizers) {
  if (target.points.empty()) {
    OpenedRun run = open_run(folder, target.data, regularizers);
    WindowChoice choice = choose_windows(run, target.split, 0, "--on");
    return {std::move(run), std::move(choice)};
  }
  check_run_folder(folder);
  const Table table = table_of_points(folder / "model.toml", target.points);
  OpenedRun run = open_run(folder, {}, regularizers, &table);
  WindowChoice choice{target.text, run.loaded.data->all()};
  return {std::move(run), std::move(choice)};
}

}  // namespace greybox
