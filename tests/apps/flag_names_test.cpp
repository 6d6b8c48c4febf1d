// What the library calls options, in the words of the command line.
#include "flag_names.hpp"

#include <gtest/gtest.h>

namespace greybox::apps {
namespace {

TEST(FlagNames, AreTheFieldsUnlessTheyHaveOthers) {
  EXPECT_EQ(flag_of("lambda"), "--lambda");
  EXPECT_EQ(flag_of("keep_best"), "--keep-best");
  EXPECT_EQ(flag_of("folder"), "-o");
  EXPECT_EQ(flag_of("target_acceptance"), "--target");
  EXPECT_EQ(flag_of("on"), "--on");
  EXPECT_EQ(flag_of("on", {{"on", "--split"}}), "--split");
}

TEST(FlagNames, ReplaceEveryOptionOfAText) {
  EXPECT_EQ(with_flags(std::string("option `resume` continues it, option `folder` names another")),
            "--resume continues it, -o names another");
  EXPECT_EQ(with_flags(std::string("option `resume` continues"), {{"resume", "the same command"}}),
            "the same command continues");
  for (const std::string text : {"", "no regularizer `normE`", "an option `without end"})
    EXPECT_EQ(with_flags(text), text);
}

TEST(FlagNames, AreThePlacesOfMistakes) {
  const InputError error(
      {Diagnostic{.option = "on", .message = "there is no window 9", .help = "leave out option `plane`"},
       Diagnostic{.file = "a.csv", .message = "empty"}});
  EXPECT_STREQ(with_flags(error, {{"on", "--window"}}).what(),
               "--window: error: there is no window 9\n  help: leave out --view\na.csv: error: empty");
}

TEST(FlagNames, PointIntoTheTextOfAnOption) {
  const InputError error(Diagnostic{
      .span = {1, 6, 3}, .option = "regularizer", .message = "unknown name `nom`", .line = "mean(nom)"});
  EXPECT_STREQ(with_flags(error).what(),
               "--regularizer:1:6: error: unknown name `nom`\n  1 | mean(nom)\n    |      ^^^");
}

TEST(FlagNames, AreGivenToWhateverACommandThrows) {
  const auto mistake = [] { throw InputError(Diagnostic{.option = "overwrite", .message = "it is there"}); };
  try {
    naming_flags({{"overwrite", "--force"}}, mistake);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--force: error: it is there");
  }
  EXPECT_THROW(naming_flags({}, [] { throw Interruption("enough"); }), Interruption);
}

}  // namespace
}  // namespace greybox::apps
