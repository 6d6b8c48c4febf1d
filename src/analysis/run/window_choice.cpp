#include "analysis/run/window_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/nearest_name.hpp"

namespace greybox {
namespace {

constexpr const char* kAll = "all";
const std::array<std::string, 3> kSplits = {"train", "validation", "test"};  // in the order of `Split`

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_part(const std::string& part) {
  return std::find(kSplits.begin(), kSplits.end(), part) != kSplits.end();
}

std::set<std::string> expanded(const std::string& name) {
  if (name == kAll) return {kSplits.begin(), kSplits.end()};
  if (!is_split(name)) return {name};
  const std::vector<std::string> parts = parts_of(name);
  return {parts.begin(), parts.end()};
}

[[noreturn]] void refuse_unknown(const std::string& split, const std::string& option) {
  const std::array<std::string, 4> known = {"train", "validation", "test", kAll};
  const auto near = nearest_name(split, known);
  throw InputError(
      Diagnostic{.file = option,
                 .message = fmt::format("`{}` is no part of the data", split),
                 .help = near ? fmt::format("did you mean `{}`?", *near)
                              : "the parts are train, validation, test; join several with +, or say all"});
}

[[noreturn]] void refuse_empty(const Dataset& data, const std::string& split, const std::string& option) {
  throw InputError(Diagnostic{
      .file = option,
      .message = fmt::format("there are no windows in `{}`", split),
      .help = fmt::format("the data have {} train, {} validation and {} test windows",
                          data.of_split(Split::train).size(), data.of_split(Split::validation).size(),
                          data.of_split(Split::test).size())});
}

std::vector<std::size_t> windows_of(const Dataset& data, const std::string& split,
                                    const std::string& option) {
  if (split == kAll) return data.all();
  if (!is_split(split)) refuse_unknown(split, option);
  std::vector<std::size_t> windows;
  for (const std::string& part : expanded(split)) {
    const auto which = std::find(kSplits.begin(), kSplits.end(), part) - kSplits.begin();
    const std::vector<std::size_t> more = data.of_split(static_cast<Split>(which));
    windows.insert(windows.end(), more.begin(), more.end());
  }
  if (windows.empty()) refuse_empty(data, split, option);
  std::sort(windows.begin(), windows.end());
  return windows;
}

std::string name_of_file(const Dataset& data) {
  return std::filesystem::absolute(data.table().file).lexically_normal().string();
}

}  // namespace

std::vector<std::size_t> evenly_spaced(const std::vector<std::size_t>& windows, std::size_t n) {
  if (n == 0 || n >= windows.size()) return windows;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i) kept.push_back(windows[i * windows.size() / n]);
  return kept;
}

bool is_split(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  return text == kAll || std::all_of(parts.begin(), parts.end(), is_part);
}

WindowChoice choose_windows(const OpenedRun& run, const std::string& split, std::size_t sample,
                            const std::string& option) {
  const Dataset& data = *run.loaded.data;
  const std::string chosen = split.empty() ? default_split(run, {Split::test}) : split;
  WindowChoice choice{chosen, evenly_spaced(windows_of(data, chosen, option), sample)};
  if (!run.has_own_data) choice.name = name_of_file(data);
  return choice;
}

std::string default_split(const OpenedRun& run, std::initializer_list<Split> preferred) {
  if (run.has_own_data)
    for (Split split : preferred)
      if (!run.loaded.data->of_split(split).empty()) return kSplits[static_cast<std::size_t>(split)];
  return kAll;
}

std::string split_of_window(const OpenedRun& run, std::size_t window) {
  const Dataset& data = *run.loaded.data;
  if (!run.has_own_data) return name_of_file(data);
  for (std::size_t s = 0; s < kSplits.size(); ++s) {
    const std::vector<std::size_t> windows = data.of_split(static_cast<Split>(s));
    if (std::binary_search(windows.begin(), windows.end(), window)) return kSplits[s];
  }
  return kAll;
}

bool share_windows(const std::string& first, const std::string& second) {
  const std::set<std::string> of_first = expanded(first), of_second = expanded(second);
  return std::any_of(of_first.begin(), of_first.end(),
                     [&](const std::string& part) { return of_second.contains(part); });
}

}  // namespace greybox
