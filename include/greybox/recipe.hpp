// How a training chooses its rates and its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace greybox {

enum class Recipe : std::uint8_t {
  // Rates that fall from epoch to epoch as [train] says, for so many epochs: what the paper does.
  paper,
  // Rates, epochs and batch as the model needs them, and averaged weights.
  automatic,
};

// "paper" or "auto", as in [train].
std::string to_string(Recipe recipe);

// What recipe "auto" chose, and what for.
struct RecipeRecord {
  // The highest: that of the options, or after a divergence a lower one.
  double rate = std::numeric_limits<double>::quiet_NaN();
  // Whether the recipe found it, by the width of the networks; else the model file gives it.
  bool is_rate_found = false;
  // After this epoch rates fell; 0: not yet.
  std::size_t level_epochs = 0;
  // Of the means behind the regularizers from one look to the next, as a part of their range, at the last.
  double change = std::numeric_limits<double>::quiet_NaN();
  // Below it they count as settled, once errors have stopped falling.
  double tolerance = 0;
  // Whether that was why rates fell; else the epochs came to their end.
  bool has_settled = false;
};

// What it chose as a sentence.
std::string to_sentence(const RecipeRecord& record, std::size_t batch, std::size_t epochs_done);

}  // namespace greybox
