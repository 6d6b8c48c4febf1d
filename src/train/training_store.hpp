// Where a training leaves its curves and checkpoints while it runs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "train/checkpoint.hpp"
#include "train/curves.hpp"

namespace greybox {

class TrainingStore {
 public:
  virtual ~TrainingStore() = default;

  // Before the first step of a session that continues after `n_epochs` complete epochs; rows of later ones,
  // left by a session that went further than its last checkpoint, are dropped.
  virtual void begin(std::size_t n_epochs) = 0;
  // A row of the curves.
  virtual void add(const EpochResult& epoch) = 0;
  // When it returns, every row up to the checkpoint is as safe as the checkpoint itself.
  virtual void save(const Checkpoint& checkpoint) = 0;
};

// curves.csv and checkpoint.npz of a folder, which is there and this process's own. Each is replaced as a
// whole or extended by whole rows, so that a killed process leaves what can be continued. Functions throw
// std::system_error or std::runtime_error with the system's reason.
class FolderStore final : public TrainingStore {
 public:
  FolderStore(std::filesystem::path curves, std::filesystem::path checkpoint)
      : curves_file_(std::move(curves)), checkpoint_file_(std::move(checkpoint)) {}

  void begin(std::size_t n_epochs) override { curves_.emplace(curves_file_, n_epochs); }
  void add(const EpochResult& epoch) override { curves_->add(epoch); }
  void save(const Checkpoint& checkpoint) override;

 private:
  std::filesystem::path curves_file_, checkpoint_file_;
  std::optional<Curves> curves_;
};

class MemoryStore final : public TrainingStore {
 public:
  void begin(std::size_t n_epochs) override;
  void add(const EpochResult& epoch) override { curves_.push_back(epoch); }
  void save(const Checkpoint& checkpoint) override { checkpoint_ = checkpoint; }

  const std::vector<EpochResult>& curves() const { return curves_; }
  const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }

 private:
  std::vector<EpochResult> curves_;
  std::optional<Checkpoint> checkpoint_;
};

}  // namespace greybox
