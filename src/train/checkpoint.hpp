// checkpoint.npz: the exact state of a training, and of which training it is.
#pragma once

#include <filesystem>
#include <string>

#include "train/train_state.hpp"

namespace greybox {

// SHA-256 (hexadecimal) of everything that the continuation depends on. A checkpoint with others is refused.
struct CheckpointIdentity {
  std::string model, data, options;
};

template <class T>
void write_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                      const TrainState<T>& state);

// Fills `state`, whose layout tells what to expect; throws InputError, and then leaves it as it was.
template <class T>
void read_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                     TrainState<T>& state);

}  // namespace greybox
