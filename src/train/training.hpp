// A training with its record, kept in a run folder or in memory.
#pragma once

#include "train/run_state.hpp"
#include "train/settings.hpp"

namespace greybox {

struct TrainingJob {
  TrainingJob(Model of, LoadedModel with, std::shared_ptr<const DataTable> from, TrainerOptions how,
              RunRecord begun)
      : model(std::move(of)),
        loaded(std::move(with)),
        table(std::move(from)),
        trainer(std::move(how)),
        record(std::move(begun)) {}

  Model model;
  LoadedModel loaded;
  std::shared_ptr<const DataTable> table;
  TrainerOptions trainer;
  // As it is when the training begins; the identity of its checkpoints is made of it.
  RunRecord record;
  // Of its checkpoints; none: made of the record.
  std::optional<CheckpointIdentity> identity{};
  // Empty: in memory.
  std::filesystem::path folder{};
  // Continue from the checkpoint that the folder, or `interrupted`, has.
  bool is_resumed = false;
  std::shared_ptr<const RunState> interrupted{};
  bool may_overwrite = false;
  Execution execution{};
  // For progress: what this training is called, and which of how many it is.
  std::string stage = "training";
  std::size_t number = 1, n_trainings = 1;
};

// What can be refused is refused before anything is written. Throws std::system_error when the disk refuses.
Run run_training(TrainingJob job);

// The record of a training that begins now.
RunRecord new_record(const TrainerOptions& trainer, const Model& model, const DataTable& table);

// The options of an earlier training, where others are not set.
TrainOptions inherited(TrainOptions options, const RunRecord& record);

}  // namespace greybox
