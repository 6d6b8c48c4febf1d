// Any bytes in place of trials.csv or curves.csv are continued, or refused with a message.
#include "analysis/compare/compare_store.hpp"
#include "memory_file.hpp"
#include "train/curves.hpp"

namespace greybox {
namespace {

void continue_trials(std::string_view text) {
  static const ModelSpec spec = [] {
    ModelSpec made;
    made.parameters.resize(2);
    made.parameters[0].name = "a";
    made.parameters[1].name = "c";
    return made;
  }();
  const Json identity = {{"model", {{"file", "m"}, {"sha256", "1"}}},
                         {"data", {{"file", "d"}, {"sha256", "2"}}},
                         {"options", Json::object()}};
  const std::filesystem::path folder = fuzz::memory_folder() / "trials";
  if (!std::filesystem::exists(folder)) CompareStore(folder, spec, identity);
  fuzz::write_file(folder / "trials.csv", text);
  CompareStore store(folder, spec, identity);
  store.add({.mode = TrainMode::inductive, .lambda = 1, .trial = 3}, 0, {1, 2, {3, 4}});
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
  fuzz::expect_read_or_refused([&] { data[0] % 2 == 0 ? continue_trials(text) : continue_curves(text); });
  return 0;
}
