// The samples of a batch: windows of the data, each with its own parameters θ.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/windows.hpp"
#include "model/bound_model.hpp"
#include "model/input_signals.hpp"

namespace greybox {

// Windows of a table, with the columns in the model's order. Refers to the table; copies nothing.
struct WindowData {
  const DataTable* table = nullptr;
  std::vector<const Column*> columns;  // one per model column
  std::vector<Window> windows;
  // Per learned start of the model and window: which row of numbers is its own.
  std::vector<std::vector<std::size_t>> start_slots{};
  // Some value that is compared with is missing.
  bool misses_values = false;
  // Inputs at times of their own; null for none.
  std::shared_ptr<const InputSignals> signals{};

  std::size_t longest() const;  // snapshots of the longest window
};

// Throws InputError when the table lacks a column or a field has another size than the model's grid.
WindowData view_windows(const BoundModel& model, const DataTable& table, std::vector<Window> windows);

// Throws InputError when the batch's samples influence each other and would not take their steps together.
void check_marching(const BoundModel& model, const WindowData& data);

// Throws InputError when a window is longer than what the model observes of it snapshot by snapshot.
void check_snapshot_vectors(const BoundModel& model, const WindowData& data);

template <class T>
struct Samples {
  const WindowData* data = nullptr;
  std::span<const std::size_t> windows;  // indices into data->windows, one per sample
  std::span<const T> theta;  // samples × parameters, row-major; empty: the model's estimator gives θ
  // Samples × draws, row-major; empty: every draw is at its centre.
  std::span<const T> draws{};
  // Latents come from their priors.
  bool is_generated = false;
};

}  // namespace greybox
