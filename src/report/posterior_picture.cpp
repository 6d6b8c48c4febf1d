#include "report/posterior_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "greybox/counted.hpp"
#include "report/picture_style.hpp"
#include "report/posterior_panels.hpp"

namespace greybox {
namespace {

constexpr double kPosteriorMargin = 20;
constexpr double kAxisRoom = 58;    // left of each panel
constexpr double kPanelGap = 24;    // right of each panel
constexpr double kBelowPanel = 58;  // its axis and label
constexpr double kMarginalHeight = 150, kPairSize = 240;
constexpr double kMarginalWidths[] = {250, 300, 230};  // marginal, trace, sensitivity

std::string title_of(const Posterior& posterior) {
  return fmt::format("{}: the parameters under R {} at β = {:.4g}", posterior.model, posterior.regularizer,
                     posterior.beta);
}

std::vector<std::string> notes_of(const Posterior& posterior) {
  const std::string how =
      posterior.grid.empty()
          ? fmt::format("{} of {} (NUTS)", counted(posterior.n_chains, "chain"),
                        counted(posterior.n_draws, "draw"))
          : fmt::format("density on a grid, {} draws from it", posterior.n_chains * posterior.n_draws);
  return {
      fmt::format("On {} ({}); {}", posterior.on, counted(posterior.n_windows, "window"), how),
      "Blue: posterior. Grey: prior. Red: median, or the β that was asked for. Shaded: 5 % to 95 %. Faint: "
      "too few draws to say"};
}

// A panel, what it needs in width and height with its axes, and where its plot is.
struct PosteriorCell {
  double width, height;
  Rectangle plot;
  std::function<void(Canvas&, const Rectangle&)> draw;
};

// From left to right, and below each other where the picture is narrow; every parameter begins a line.
std::vector<PosteriorCell> cells_of(const Posterior& posterior) {
  std::vector<PosteriorCell> cells;
  const auto add = [&](double width, double height, auto draw) {
    cells.push_back({kAxisRoom + width + kPanelGap, height + kBelowPanel, {0, 0, width, height}, draw});
  };
  for (std::size_t p = 0; p < posterior.parameters.size(); ++p) {
    add(kMarginalWidths[0], kMarginalHeight, [&posterior, p](Canvas& canvas, const Rectangle& area) {
      draw_marginal(canvas, area, posterior.parameters[p]);
    });
    add(kMarginalWidths[1], kMarginalHeight,
        [&posterior, p](Canvas& canvas, const Rectangle& area) { draw_trace(canvas, area, posterior, p); });
    add(kMarginalWidths[2], kMarginalHeight, [&posterior, p](Canvas& canvas, const Rectangle& area) {
      draw_sensitivity(canvas, area, posterior, p);
    });
  }
  for (const PosteriorPair& pair : posterior.pairs)
    add(kPairSize, kPairSize, [&posterior, &pair](Canvas& canvas, const Rectangle& area) {
      draw_pair(canvas, area, posterior, pair);
    });
  return cells;
}

// Gives every plot its place; returns where the last line ends.
double place(std::vector<PosteriorCell>& cells, double width, double top) {
  double x = kPosteriorMargin, y = top, line = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const bool is_other_kind = k > 0 && cells[k].height != cells[k - 1].height;
    if (k > 0 && (is_other_kind || x + cells[k].width > width - kPosteriorMargin + 0.5)) {
      x = kPosteriorMargin;
      y += line;
      line = 0;
    }
    cells[k].plot.x = x + kAxisRoom;
    cells[k].plot.y = y;
    x += cells[k].width;
    line = std::max(line, cells[k].height);
  }
  return y + line;
}

}  // namespace

void draw_posterior(const Posterior& posterior, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style) {
  std::vector<PosteriorCell> cells = cells_of(posterior);
  double natural = 2 * kPosteriorMargin, widest = 0;
  for (std::size_t k = 0; k < std::size(kMarginalWidths); ++k) {
    natural += cells[k].width;
    widest = std::max(widest, cells[k].width);
  }
  const PictureFit fit = fit_picture(style, natural, 2 * kPosteriorMargin + widest);
  const FigureHeader above(title_of(posterior), notes_of(posterior), fit);
  const double bottom = place(cells, fit.width, above.height() + 8);
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    for (const PosteriorCell& cell : cells) cell.draw(canvas, cell.plot);
  };
  draw_picture(files, fit.width, bottom, draw, fit.scale);
}

}  // namespace greybox
