// Any bytes, as an archive or as an array in one, are refused with a message or read: as a table, as weights
// and as a checkpoint.
#include "data/npz.hpp"
#include "data/npz_table.hpp"
#include "data/zip_writer.hpp"
#include "memory_file.hpp"
#include "model/weights.hpp"
#include "train/checkpoint.hpp"

namespace greybox {
namespace {

void read_everywhere(const std::filesystem::path& file) {
  fuzz::expect_read_or_refused([&] { read_npz_table(file, {}); });
  fuzz::expect_read_or_refused([&] {
    const std::vector<ModelTensor> tensors = {{{.name = "f.0.weight", .shape = {2, 2}}, 0},
                                              {{.name = "f.0.bias", .shape = {2}, .offset = 4}, 0}};
    read_weights(file, tensors);
  });
  fuzz::expect_read_or_refused([&] {
    const Checkpoint checkpoint = read_checkpoint(file);
    TrainState<float> state(FlatLayout::of<float>(4, 2));
    restore(checkpoint, {checkpoint.identity, {.n_epochs = 10, .n_steps = 3, .n_samples = 12}}, state);
  });
}

}  // namespace
}  // namespace greybox

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greybox;
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    read_everywhere(fuzz::MemoryFile(bytes).path());
    return 0;
  }
  const fuzz::MemoryFile archive;
  ZipWriter writer(archive.descriptor());
  writer.add("x.npy", bytes, {});
  writer.close();
  read_everywhere(archive.path());
  return 0;
}
