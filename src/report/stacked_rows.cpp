#include "report/stacked_rows.hpp"

#include <algorithm>

namespace greybox {
namespace {

constexpr double kWideFrom = 560, kTickRoom = 46, kTickSpacing = 72;

}  // namespace

RowLayout row_layout(double width) {
  if (width >= kWideFrom) return {.left = 150, .gap = 13, .above = 0, .has_titles_above = false};
  return {.left = 56, .gap = 30, .above = 16, .has_titles_above = true};
}

void draw_row_title(Canvas& canvas, const std::string& title, const Rectangle& plot,
                    const RowLayout& layout) {
  const Align align = layout.has_titles_above ? Align::left : Align::right;
  const TextStyle style{.size = kLabelSize, .align = align, .is_bold = true};
  if (layout.has_titles_above)
    return canvas.text({plot.x, plot.y - 6}, canvas.fitted(title, plot.width, style), style);
  canvas.text({plot.x - kTickRoom, plot.y + plot.height / 2 + 4},
              canvas.fitted(title, plot.x - kTickRoom - 8, style), style);
}

void draw_shared_axis(Canvas& canvas, const Scale& across, const Rectangle& plot, double bottom,
                      const std::string& label) {
  const auto n_ticks = static_cast<std::size_t>(std::clamp(plot.width / kTickSpacing, 2.0, 9.0));
  for (const Tick& tick : ticks(across.low, across.high, n_ticks)) {
    const double x = across(tick.value);
    canvas.line({{x, bottom}, {x, bottom + kTickLength}}, kInk);
    canvas.text({x, bottom + 16}, tick.label, {.size = kTickSize, .align = Align::centre});
  }
  canvas.text({plot.x + plot.width / 2, bottom + 34}, label, {.size = kLabelSize, .align = Align::centre});
}

}  // namespace greybox
