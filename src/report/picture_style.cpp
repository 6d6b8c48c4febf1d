#include "report/picture_style.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;
constexpr double kLeastScale = 0.63;  // ticks of 6 points

}  // namespace

double points_wide(const PictureStyle& style) {
  if (style.width == 0) return 0;
  if (!(style.width >= kNarrowestPicture && style.width <= kWidestPicture))
    refuse_option("width", fmt::format("a picture cannot be {:.4g} mm wide", style.width),
                  fmt::format("give {} to {} mm: columns of journals have about 85 mm, pages 170 mm",
                              kNarrowestPicture, kWidestPicture));
  return style.width * kPointsPerMillimetre;
}

PictureFit fit_picture(const PictureStyle& style, double natural, double least) {
  const double wanted = points_wide(style);
  if (wanted == 0) return {natural, 1, style.has_title};
  const double width = std::clamp(wanted / kLeastScale, least, natural);
  return {width, wanted / width, style.has_title};
}

std::size_t n_columns_for(const PictureStyle& style, double column, double fixed, std::size_t n_most) {
  const double wanted = points_wide(style);
  if (wanted == 0) return n_most;
  const double columns = (wanted / kLeastScale - fixed) / column;
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(columns, 1.0)), 1, n_most);
}

std::vector<std::filesystem::path> picture_files(const std::filesystem::path& folder, const std::string& name,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = {folder / (name + ".svg"), folder / (name + ".png")};
  if (style != PictureStyle{}) files.push_back(folder / (name + ".pdf"));
  return files;
}

}  // namespace greybox
