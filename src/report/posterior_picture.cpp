#include "report/posterior_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/posterior_panels.hpp"

namespace greybox {
namespace {

constexpr double kPosteriorHeader = 88, kPosteriorFooter = 10, kPosteriorMargin = 20;
constexpr double kAxisRoom = 58;  // left of each panel
constexpr double kPanelGap = 24;  // right of each panel
constexpr double kMarginalHeight = 150, kMarginalRow = kMarginalHeight + 58;
constexpr double kMarginalWidths[] = {250, 300, 230};  // marginal, trace, sensitivity
constexpr double kPairSize = 240, kPairRow = kPairSize + 60;
constexpr std::size_t kPairsPerRow = 3;

double full_width() {
  double width = 2 * kPosteriorMargin;
  for (double panel : kMarginalWidths) width += kAxisRoom + panel + kPanelGap;
  return width;
}

void draw_header(Canvas& canvas, const Posterior& posterior, double width) {
  const TextStyle title{.size = 17, .is_bold = true}, line{.size = 11, .colour = kFaintInk};
  const double room = width - 2 * kPosteriorMargin;
  canvas.text({kPosteriorMargin, 30},
              canvas.fitted(fmt::format("{}: the parameters under R {} at β = {:.4g}", posterior.model,
                                        posterior.regularizer, posterior.beta),
                            room, title),
              title);
  const std::string how =
      posterior.grid.empty()
          ? fmt::format("{} chains of {} draws (NUTS)", posterior.n_chains, posterior.n_draws)
          : fmt::format("density on a grid, {} draws from it", posterior.n_chains * posterior.n_draws);
  canvas.text({kPosteriorMargin, 50},
              canvas.fitted(fmt::format("On {} ({} windows); {}", posterior.on, posterior.n_windows, how),
                            room, line),
              line);
  canvas.text(
      {kPosteriorMargin, 66},
      canvas.fitted("Blue: posterior. Grey: prior. Red: median, or the β that was asked for. Shaded: 5 % "
                    "to 95 %. Faint: too few draws to say",
                    room, line),
      line);
}

void draw_row(Canvas& canvas, const Posterior& posterior, std::size_t parameter, double top) {
  double left = kPosteriorMargin;
  const auto next = [&](double width) {
    const Rectangle area{left + kAxisRoom, top, width, kMarginalHeight};
    left += kAxisRoom + width + kPanelGap;
    return area;
  };
  draw_marginal(canvas, next(kMarginalWidths[0]), posterior.parameters[parameter]);
  draw_trace(canvas, next(kMarginalWidths[1]), posterior, parameter);
  draw_sensitivity(canvas, next(kMarginalWidths[2]), posterior, parameter);
}

}  // namespace

void draw_posterior(const Posterior& posterior, const std::vector<std::filesystem::path>& files) {
  const double rows = static_cast<double>(posterior.parameters.size());
  const std::size_t pair_rows = (posterior.pairs.size() + kPairsPerRow - 1) / kPairsPerRow;
  const double width = full_width();
  const double height =
      kPosteriorHeader + rows * kMarginalRow + static_cast<double>(pair_rows) * kPairRow + kPosteriorFooter;
  draw_picture(files, width, height, [&](Canvas& canvas) {
    draw_header(canvas, posterior, width);
    for (std::size_t p = 0; p < posterior.parameters.size(); ++p)
      draw_row(canvas, posterior, p, kPosteriorHeader + static_cast<double>(p) * kMarginalRow);
    for (std::size_t k = 0; k < posterior.pairs.size(); ++k)
      draw_pair(canvas,
                {kPosteriorMargin + kAxisRoom +
                     static_cast<double>(k % kPairsPerRow) * (width - 2 * kPosteriorMargin) / kPairsPerRow,
                 kPosteriorHeader + rows * kMarginalRow + static_cast<double>(k / kPairsPerRow) * kPairRow,
                 kPairSize, kPairSize},
                posterior, posterior.pairs[k]);
  });
}

}  // namespace greybox
