// --width and --no-title of commands that draw pictures.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <greybox/picture.hpp>
#include <string>
#include <vector>

namespace greybox::apps {

struct PictureArguments {
  std::string width;
  bool has_title = true;
};

void add_picture_options(CLI::App& command, PictureArguments& arguments);

// "85mm", "8.5cm", "3.35in" or "240pt". Refuses what is none of these.
PictureStyle style_of(const PictureArguments& arguments);

// Draws what was written with a result again, where another style is asked for.
template <class Result>
void draw_again(const Result& result, const std::filesystem::path& folder, const PictureStyle& style,
                std::vector<std::filesystem::path>& files) {
  if (style == PictureStyle{}) return;
  for (const std::filesystem::path& file : draw_pictures(result, folder, style))
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

}  // namespace greybox::apps
