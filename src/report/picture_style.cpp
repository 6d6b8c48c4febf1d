#include "report/picture_style.hpp"

#include <fmt/format.h>

#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;

}  // namespace

double points_wide(const PictureStyle& style) {
  if (style.width == 0) return 0;
  if (!(style.width >= kNarrowestPicture && style.width <= kWidestPicture))
    refuse_option("width", fmt::format("a picture cannot be {:.4g} mm wide", style.width),
                  fmt::format("give {} to {} mm: columns of journals have about 85 mm, pages 170 mm",
                              kNarrowestPicture, kWidestPicture));
  return style.width * kPointsPerMillimetre;
}

double print_scale(const PictureStyle& style, double width) {
  const double wanted = points_wide(style);
  return wanted == 0 ? 1 : wanted / width;
}

}  // namespace greybox
