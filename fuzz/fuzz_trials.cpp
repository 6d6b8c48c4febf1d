// Any bytes in place of trials.csv, curves.csv, compare.json or shard.json are continued or merged, or
// refused with a message.
#include "analysis/compare/compare_store.hpp"
#include "greybox/shard.hpp"
#include "memory_file.hpp"
#include "train/curves.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

const ModelSpec& spec() {
  static const ModelSpec spec = [] {
    ModelSpec made;
    made.parameters.resize(2);
    made.parameters[0].name = "a";
    made.parameters[1].name = "c";
    return made;
  }();
  return spec;
}

Json identity() {
  return {{"model", {{"file", "m"}, {"sha256", "1"}}},
          {"data", {{"file", "d"}, {"sha256", "2"}}},
          {"options", {{"epochs", 2}}}};
}

// A comparison in which `file` is something else, continued.
void continue_comparison(const char* file, std::string_view text) {
  const std::filesystem::path folder = fuzz::memory_folder() / "comparison";
  std::filesystem::remove_all(folder);
  { const CompareStore made(folder, spec(), identity()); }
  fuzz::write_file(folder / file, text);
  CompareStore store(folder, spec(), identity());
  store.add({.mode = TrainMode::inductive, .lambda = 1, .trial = 3}, 0, {1, 2, {3, 4}});
}

// Two shards, in the second of which `file` is something else, merged.
void merge(const char* file, std::string_view text) {
  const std::filesystem::path folder = fuzz::memory_folder() / "sharded";
  std::filesystem::remove_all(folder);
  for (std::size_t i = 1; i <= 2; ++i) {
    const Shard shard{i, 2};
    CompareStore(shard_folder(folder, shard), spec(), identity())
        .add({.mode = TrainMode::inductive, .lambda = 1, .trial = i}, 0, {1, 2, {3, 4}});
    write_shard_record(folder, {.shard = shard, .command = {"compare", "m"}, .directory = "/"});
  }
  fuzz::write_file(shard_folder(folder, {2, 2}) / file, text);
  merge_shards(folder);
}

void continue_curves(std::string_view text) {
  const std::filesystem::path file = fuzz::memory_folder() / "curves.csv";
  fuzz::write_file(file, text);
  fuzz::expect_read_or_refused([&] { read_curves(file); });
  Curves curves(file, 3);
  curves.add({.epoch = 4});
  curves.flush();
}

}  // namespace
}  // namespace greybox

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greybox;
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  fuzz::expect_read_or_refused([&] {
    switch (data[0] % 6) {
      case 0:
        return continue_comparison("trials.csv", text);
      case 2:
        return continue_comparison("compare.json", text);
      case 3:
        return merge("shard.json", text);
      case 4:
        return merge("compare.json", text);
      case 5:
        return merge("trials.csv", text);
      default:
        return continue_curves(text);
    }
  });
  return 0;
}
