#include "train/recipe_record.hpp"

#include <fmt/format.h>

#include <cmath>

#include "greybox/counted.hpp"

namespace greybox {

Json json_of(const RecipeRecord& record) {
  return {
      {"rate", record.rate},     {"rate_found", record.is_rate_found}, {"level_epochs", record.level_epochs},
      {"change", record.change}, {"tolerance", record.tolerance},      {"settled", record.has_settled}};
}

RecipeRecord recipe_from(const JsonValue& json) {
  return {.rate = json.at("rate").number(),
          .is_rate_found = json.at("rate_found").boolean(),
          .level_epochs = json.at("level_epochs").count(),
          .change = json.at("change").number(),
          .tolerance = json.at("tolerance").number(),
          .has_settled = json.at("settled").boolean()};
}

std::string to_sentence(const RecipeRecord& record, std::size_t batch, std::size_t epochs_done) {
  std::string text = fmt::format("batches of {}, rate {:.2g}", counted(batch, "window"), record.rate);
  if (record.level_epochs == 0) return text;
  text += fmt::format(", falling after epoch {} of {}", record.level_epochs, epochs_done);
  if (!record.has_settled) return text + " because the epochs came to their end";
  if (!(record.change <= record.tolerance))
    return text +
           fmt::format(" because errors no longer fell; the landscape still changed by {:.2g} % of its range",
                       100 * record.change);
  return text +
         fmt::format(" because errors and landscape had settled (its last change: {:.2g} % of its range)",
                     100 * record.change);
}

}  // namespace greybox
