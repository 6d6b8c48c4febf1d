#include "on_option.hpp"

#include <fmt/format.h>

#include "option_text.hpp"
#include "points_option.hpp"
#include "split_option.hpp"

namespace greybox::apps {

void add_on_option(CLI::App& command, std::string& on, EachWindow each) {
  command.add_option("--on", on,
                     fmt::format("train, validation, test, several joined by +, all, {}a data file, or grid "
                                 "points of the inputs: x=LOW:HIGH:POINTS,…",
                                 each == EachWindow::allowed ? "each (window), " : ""));
}

OnChoice parse_on(const std::string& text) {
  if (text == "each") return {.each_window = true};
  if (text.empty() || is_splits(text)) return {.on = parse_splits(text)};
  if (std::filesystem::exists(text)) return {.data = text};
  if (text.find('=') != std::string::npos) return {.on = parse_points(text)};
  const bool looks_like_file = text.find_first_of("./") != std::string::npos;
  if (looks_like_file)
    refuse_flag("--on", fmt::format("there is no data file {}", text),
                "give a split, `each`, a file, or grid points such as x=-3:3:200");
  return {.on = parse_splits(text)};
}

}  // namespace greybox::apps
