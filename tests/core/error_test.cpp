// How mistakes are shown to people.
#include "greybox/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace greybox {
namespace {

Diagnostic misspelt_velocity() {
  return {.file = "pendulum.toml",
          .span = {.line = 14, .column = 16, .length = 7},
          .message = "unknown name `velocty` in the theory of `angle`",
          .line = "angle = \"1.0 * velocty\"",
          .help = "did you mean `velocity` (a state, pendulum.toml:9:1)?"};
}

TEST(Render, ShowsPlaceMessageExcerptAndHelp) {
  EXPECT_EQ(render(misspelt_velocity()),
            R"(pendulum.toml:14:16: error: unknown name `velocty` in the theory of `angle`
  14 | angle = "1.0 * velocty"
     |                ^^^^^^^
  help: did you mean `velocity` (a state, pendulum.toml:9:1)?)");
}

TEST(Render, NamesRowAndColumnOfData) {
  EXPECT_EQ(
      render(
          {.file = "pendulum.csv", .element = "row 12, column `velocity`", .message = "`abc` is no number"}),
      "pendulum.csv: row 12, column `velocity`: error: `abc` is no number");
}

TEST(Render, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(render({.message = "no model given"}), "error: no model given");
  EXPECT_EQ(render({.file = "a.toml", .message = "is empty"}), "a.toml: error: is empty");
  EXPECT_EQ(render({.file = "a.toml", .span = {.line = 3}, .message = "bad"}), "a.toml:3: error: bad");
  EXPECT_EQ(render({.span = {.line = 1, .column = 4}, .message = "bad"}), "1:4: error: bad");
}

TEST(InputError, CarriesEveryMistake) {
  const Diagnostic second{.file = "a.toml", .message = "is empty"};
  const InputError error(std::vector<Diagnostic>{misspelt_velocity(), second});
  ASSERT_EQ(error.diagnostics().size(), 2U);
  EXPECT_EQ(error.what(), render(misspelt_velocity()) + "\n" + render(second));
}

TEST(InputError, SurvivesCopying) {
  try {
    throw InputError(misspelt_velocity());
  } catch (const std::exception& error) {
    EXPECT_EQ(error.what(), render(misspelt_velocity()));
  }
}

}  // namespace
}  // namespace greybox
