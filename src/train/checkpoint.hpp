// The exact state of a training, and of which training it is: as a value, and as checkpoint.npz.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/npz.hpp"
#include "train/train_state.hpp"

namespace greybox {

// SHA-256 (hexadecimal) of everything that the continuation depends on. A checkpoint with others is refused.
struct CheckpointIdentity {
  std::string model, data, options;
};

struct Checkpoint {
  CheckpointIdentity identity;
  // Counters and vectors, by the names of checkpoint.npz.
  std::vector<NamedArray> arrays;
  // The file it was read from, for messages; empty in memory.
  std::string source{};
};

// What checkpoint.npz holds; `checkpoint_from` throws InputError, naming `source`, for anything else.
std::vector<NamedArray> to_arrays(const Checkpoint& checkpoint);
Checkpoint checkpoint_from(std::vector<NamedArray> arrays, const std::string& source);

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& file);

template <class T>
Checkpoint make_checkpoint(const CheckpointIdentity& identity, const TrainState<T>& state);

// The training that a checkpoint is to continue.
struct CheckpointExpectation {
  CheckpointIdentity identity;
  ProgressLimits limits;
};

// Fills `state`, whose layout gives the sizes to expect. Throws InputError when the checkpoint is another
// training's, or holds what this one can never come to; then leaves the state as it was.
template <class T>
void restore(const Checkpoint& checkpoint, const CheckpointExpectation& expected, TrainState<T>& state);

}  // namespace greybox
