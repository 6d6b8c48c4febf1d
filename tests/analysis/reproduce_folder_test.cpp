// The folder of a reproduction: what it keeps and what it refuses.
#include "analysis/reproduce/reproduce_folder.hpp"

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class ReproduceFolderTest : public test::ScratchFolder {
 protected:
  ReproduceOptions options(Experiment experiment) const {
    ReproduceOptions result;
    result.experiment = experiment;
    result.folder = path("work");
    return result;
  }
  std::string refusal(const ReproduceOptions& request) const {
    try {
      const ReproduceFolder folder(request);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(ReproduceFolderTest, OpensAgainWithTheSameOptions) {
  EXPECT_EQ(refusal(options(Experiment::toy)), "");
  EXPECT_EQ(refusal(options(Experiment::toy)), "");
  ReproduceOptions more = options(Experiment::toy);
  more.trials = 7;
  EXPECT_EQ(refusal(more), "") << "trials may be added";
}

TEST_F(ReproduceFolderTest, RefusesOtherOptions) {
  ReproduceFolder(options(Experiment::toy));
  EXPECT_TRUE(has(refusal(options(Experiment::pendulum)), "another experiment: \"toy\""));
  ReproduceOptions other = options(Experiment::toy);
  other.seed = 3;
  EXPECT_TRUE(has(refusal(other), "another seed: 0")) << refusal(other);
}

TEST_F(ReproduceFolderTest, RefusesAFolderOfSomethingElse) {
  std::filesystem::create_directory(path("work"));
  write("work/letter.txt", "dear");
  EXPECT_TRUE(has(refusal(options(Experiment::toy)), "holds no reproduction"));
}

TEST_F(ReproduceFolderTest, RefusesOptionsThatSayNothing) {
  ReproduceOptions sized = options(Experiment::toy);
  sized.size = 10;
  EXPECT_TRUE(has(refusal(sized), "option `size`: error: this option says nothing about toy"))
      << refusal(sized);
  ReproduceOptions given = options(Experiment::reaction_diffusion);
  given.data = "somewhere";
  EXPECT_TRUE(has(refusal(given), "option `data`")) << refusal(given);
  EXPECT_FALSE(std::filesystem::exists(path("work")));
}

TEST_F(ReproduceFolderTest, MarksAStandInAndKeepsIt) {
  ReproduceOptions request = options(Experiment::predator_prey);
  request.is_simulated = true;
  const ReproduceFolder folder(request);
  EXPECT_EQ(folder.make_data({}, request).kind, kStandIn);
  const std::string made = bytes_of(folder.data());
  request.seed = 5;  // would draw others
  EXPECT_EQ(folder.make_data({}, request).kind, kStandIn);
  EXPECT_EQ(bytes_of(folder.data()), made);
}

TEST_F(ReproduceFolderTest, RefusesDataThatAreNotThePublished) {
  ReproduceOptions request = options(Experiment::pendulum);
  request.data = write("expert_pendulum.npz", "not these");
  const ReproduceFolder folder(request);
  EXPECT_THROW(folder.make_data({}, request), InputError);
}

TEST(WithSetting, ReplacesTheLineOfItsTable) {
  const std::string text = "a = 1\n[grid]\na = 2   # so\nb = 3\n[other]\na = 4\n";
  EXPECT_EQ(with_setting(text, "grid", "a", "9"), "a = 1\n[grid]\na = 9\nb = 3\n[other]\na = 4\n");
  EXPECT_THROW(with_setting(text, "gird", "a", "9"), std::logic_error);
  EXPECT_THROW(with_setting(text, "grid", "c", "9"), std::logic_error);
}

}  // namespace
}  // namespace greybox
