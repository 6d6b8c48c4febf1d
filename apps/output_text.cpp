#include "output_text.hpp"

#include <fmt/format.h>

namespace greybox::apps {

std::string output_text(const OutputError& output) {
  return fmt::format("{}: RMSE {:.4g}, NRMSE {:.3g} %, R² {:.4g}", output.name, output.rmse,
                     100 * output.nrmse, output.r2);
}

}  // namespace greybox::apps
