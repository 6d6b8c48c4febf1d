// A program outside the project: links the installed library and calls into it.
#include <greybox/error.hpp>
#include <greybox/version.hpp>
#include <iostream>

int main() {
  const greybox::InputError error(
      {.file = "model.toml", .span = {.line = 3, .column = 1}, .message = "unknown key"});
  const bool is_right = greybox::version() == EXPECTED_VERSION &&
                        std::string_view(error.what()) == "model.toml:3:1: error: unknown key";
  std::cout << "greybox " << greybox::version() << '\n' << error.what() << '\n';
  return is_right ? 0 : 1;
}
