#include "report/plot_frame.hpp"

#include <fmt/format.h>

#include "report/picture_text.hpp"

namespace greybox {

namespace {

// One tick does not make a scale.
std::vector<Tick> ticks_along(const Scale& scale, std::size_t n) {
  const std::vector<Tick> ticks = scale.ticks(n);
  return ticks.size() > 1 ? ticks : scale.ticks(2 * n);
}

}  // namespace

std::string axis_label(Canvas& canvas, const Quantity& quantity, double room, const TextStyle& style) {
  std::string label = quantity.name;
  if (!quantity.unit.empty()) label += fmt::format(" [{}]", unit_text(quantity.unit));
  if (quantity.about.empty()) return canvas.fitted(label, room, style);
  const std::string whole = fmt::format("{}, {}", label, quantity.about);
  return canvas.text_width(whole, style) <= room ? whole : canvas.fitted(label, room, style);
}

PlotFrame plot_frame(const Rectangle& area, double x_low, double x_high, double y_low, double y_high) {
  return {area, {x_low, x_high, area.x, area.right()}, {y_low, y_high, area.bottom(), area.y}};
}

void draw_frame(Canvas& canvas, const PlotFrame& frame, const AxisLabels& labels) {
  const Rectangle& area = frame.area;
  canvas.frame(area, kInk);
  if (labels.has_ticks_across)
    for (const Tick& tick : ticks_along(frame.x, 4)) {
      const double x = frame.x(tick.value);
      canvas.line({{x, area.bottom()}, {x, area.bottom() + kTickLength}}, kInk);
      canvas.text({x, area.bottom() + 15}, tick.label, {.size = kTickSize, .align = Align::centre});
    }
  if (labels.has_ticks_upward)
    for (const Tick& tick : ticks_along(frame.y, 5)) {
      const double y = frame.y(tick.value);
      canvas.line({{area.x - kTickLength, y}, {area.x, y}}, kInk);
      canvas.text({area.x - 7, y + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
    }
  const TextStyle across{.size = kLabelSize, .align = Align::centre};
  canvas.text({area.x + area.width / 2, area.bottom() + 31},
              canvas.fitted(labels.across, area.width + 40, across), across);
  const TextStyle upward{.size = kLabelSize, .align = Align::centre, .is_upward = true};
  canvas.text({area.x - 44, area.y + area.height / 2}, canvas.fitted(labels.upward, area.height + 30, upward),
              upward);
}

}  // namespace greybox
