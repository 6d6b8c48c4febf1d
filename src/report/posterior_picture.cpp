#include "report/posterior_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/posterior_panels.hpp"

namespace greybox {
namespace {

constexpr double kHeader = 88, kFooter = 10, kMargin = 20;
constexpr double kAxisRoom = 58;  // left of each panel
constexpr double kPanelGap = 24;  // right of each panel
constexpr double kPanelHeight = 150, kRowHeight = kPanelHeight + 58;
constexpr double kWidths[] = {250, 300, 230};  // marginal, trace, sensitivity
constexpr double kPairSize = 240, kPairRow = kPairSize + 60;
constexpr std::size_t kPairsPerRow = 3;

double full_width() {
  double width = 2 * kMargin;
  for (double panel : kWidths) width += kAxisRoom + panel + kPanelGap;
  return width;
}

void draw_header(Canvas& canvas, const Posterior& posterior, double width) {
  const TextStyle title{.size = 17, .is_bold = true}, line{.size = 11, .colour = kFaintInk};
  const double room = width - 2 * kMargin;
  canvas.text({kMargin, 30},
              canvas.fitted(fmt::format("{}: the parameters under R {} at β = {:.4g}", posterior.model,
                                        posterior.regularizer, posterior.beta),
                            room, title),
              title);
  const std::string how =
      posterior.grid.empty()
          ? fmt::format("{} chains of {} draws (NUTS)", posterior.n_chains, posterior.n_draws)
          : fmt::format("density on a grid, {} draws from it", posterior.n_chains * posterior.n_draws);
  canvas.text({kMargin, 50},
              canvas.fitted(fmt::format("On {} ({} windows); {}", posterior.on, posterior.n_windows, how),
                            room, line),
              line);
  canvas.text(
      {kMargin, 66},
      canvas.fitted("Blue: posterior. Grey: prior. Red: median, or the β that was asked for. Shaded: 5 % "
                    "to 95 %. Faint: too few draws to say",
                    room, line),
      line);
}

void draw_row(Canvas& canvas, const Posterior& posterior, std::size_t parameter, double top) {
  double left = kMargin;
  const auto next = [&](double width) {
    const Rectangle area{left + kAxisRoom, top, width, kPanelHeight};
    left += kAxisRoom + width + kPanelGap;
    return area;
  };
  draw_marginal(canvas, next(kWidths[0]), posterior.parameters[parameter]);
  draw_trace(canvas, next(kWidths[1]), posterior, parameter);
  draw_sensitivity(canvas, next(kWidths[2]), posterior, parameter);
}

}  // namespace

void draw_posterior(const Posterior& posterior, const std::vector<std::filesystem::path>& files) {
  const double rows = static_cast<double>(posterior.parameters.size());
  const std::size_t pair_rows = (posterior.pairs.size() + kPairsPerRow - 1) / kPairsPerRow;
  const double width = full_width();
  const double height = kHeader + rows * kRowHeight + static_cast<double>(pair_rows) * kPairRow + kFooter;
  draw_picture(files, width, height, [&](Canvas& canvas) {
    draw_header(canvas, posterior, width);
    for (std::size_t p = 0; p < posterior.parameters.size(); ++p)
      draw_row(canvas, posterior, p, kHeader + static_cast<double>(p) * kRowHeight);
    for (std::size_t k = 0; k < posterior.pairs.size(); ++k)
      draw_pair(
          canvas,
          {kMargin + kAxisRoom + static_cast<double>(k % kPairsPerRow) * (width - 2 * kMargin) / kPairsPerRow,
           kHeader + rows * kRowHeight + static_cast<double>(k / kPairsPerRow) * kPairRow, kPairSize,
           kPairSize},
          posterior, posterior.pairs[k]);
  });
}

}  // namespace greybox
