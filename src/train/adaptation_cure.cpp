#include "train/adaptation_cure.hpp"

#include <fmt/format.h>

#include "greybox/run_record.hpp"
#include "model/bound_model.hpp"

namespace greybox {
namespace {

// Where λ alone shrinks corrections by a part s of themselves, L / λR = s / (1 - s); here up to four fifths.
constexpr double kRivals = 0.25;

}  // namespace

ObjectiveParts objective_parts(const RunRecord& record, const BoundModel& model) {
  if (model.has_noise()) return {};
  return {record.loss, record.options.lambda * record.regularizer};
}

bool is_held_back(const ObjectiveParts& parts) {
  return parts.penalty > 0 && parts.penalty >= kRivals * parts.loss;
}

std::string adaptation_cure(const ObjectiveParts& parts) {
  if (!is_held_back(parts)) return "train longer";
  return fmt::format(
      "train with a smaller `lambda`: λR is {:.2g} beside L {:.2g}, so that the regularizer keeps the "
      "network "
      "from larger corrections",
      parts.penalty, parts.loss);
}

}  // namespace greybox
