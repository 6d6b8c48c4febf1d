#include "train/training_store.hpp"

namespace greybox {

void FolderStore::save(const Checkpoint& checkpoint) {
  curves_->flush();  // first, so that the file has every row up to the checkpoint
  write_checkpoint(checkpoint_file_, checkpoint);
}

void MemoryStore::begin(std::size_t n_epochs) {
  std::erase_if(curves_, [&](const EpochResult& row) { return row.epoch > n_epochs; });
}

}  // namespace greybox
