// --width and --no-title of commands that draw pictures.
#pragma once

#include <CLI/CLI.hpp>
#include <greybox/picture.hpp>
#include <string>

namespace greybox::apps {

struct PictureArguments {
  std::string width;
  bool has_title = true;

  bool is_given() const { return !width.empty() || !has_title; }
};

void add_picture_options(CLI::App& command, PictureArguments& arguments);

// "85mm", "8.5cm", "3.35in" or "240pt". Refuses what is none of these.
PictureStyle style_of(const PictureArguments& arguments);

}  // namespace greybox::apps
