// New windows from a generative model: its latents are drawn from their priors.
#pragma once

#include <cstdint>

#include "greybox/predict.hpp"

namespace greybox {

struct GenerateOptions {
  // How many windows.
  std::size_t n = 100;
  std::uint64_t seed = 0;
  // Where they start, and their times: those of windows of the run's data, drawn with replacement; by default
  // of the training windows.
  Selection on{};
  // Of models that have parameters beside their latents: as in `PredictOptions`.
  Theta theta{};
  ThetaFrom theta_from = ThetaFrom::automatic;
  Execution execution{};
};

// Made windows have no measured outputs, and so no errors. The same seed gives the same windows. Throws
// InputError for the user's mistakes, such as a model without [latent], Interruption when cancelled.
Prediction generate(const Run& run, const GenerateOptions& options = {});

}  // namespace greybox
