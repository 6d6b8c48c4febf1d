// Values of parameters as --theta and --at give them: name=value, with commas between; or where they come
// from.
#pragma once

#include <CLI/CLI.hpp>
#include <greybox/run.hpp>
#include <greybox/theta_from.hpp>
#include <string>

#include "option_text.hpp"

namespace greybox::apps {

Theta parse_theta(const std::string& text);
Theta parse_held(const std::string& text);
// name=value,… of any option; throws InputError that points at what is not that.
Theta parse_values(const OptionText& option);

struct ThetaChoice {
  // Empty: as the origin says.
  Theta values{};
  ThetaFrom origin = ThetaFrom::automatic;
};

void add_theta_option(CLI::App& command, std::string& theta);
ThetaChoice parse_theta_choice(const std::string& text);

}  // namespace greybox::apps
