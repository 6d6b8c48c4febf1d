#include "report/canvas.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <stdexcept>

#include "core/atomic_file.hpp"
#include "report/picture_text.hpp"

namespace greybox {
namespace {

// Of PNG: sharp on screens of high resolution, and in print at 600 per inch.
constexpr double kPixelsPerPoint = 2, kPrintedPixelsPerPoint = 600.0 / 72;
constexpr double kMostPixels = 32'000;  // of a side; cairo draws no larger images
constexpr double kHatchSpacing = 6;
constexpr double kImageSize = 480;  // pixels that an image has at least, so that no viewer blurs its cells

void check(cairo_status_t status, const std::filesystem::path& file) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw std::runtime_error("cannot write `" + file.string() + "`: " + cairo_status_to_string(status));
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

std::uint32_t packed(const Colour& colour) {
  const auto channel = [](double value) { return static_cast<std::uint32_t>(std::lround(255 * value)); };
  return 0xff000000U | channel(colour.red) << 16 | channel(colour.green) << 8 | channel(colour.blue);
}

std::string svg_text(Point at, const std::string& text, const TextStyle& style) {
  const char* anchor = style.align == Align::left ? "start" : style.align == Align::centre ? "middle" : "end";
  const std::string turn = style.is_upward ? " rotate(-90)" : "";
  return fmt::format(
      "<text transform=\"translate({:.2f} {:.2f}){}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" "
      "font-size=\"{}\" font-weight=\"{}\" text-anchor=\"{}\" fill=\"#{:06x}\">{}</text>\n",
      at.x, at.y, turn, style.size, style.is_bold ? "bold" : "normal", anchor,
      packed(style.colour) & 0xffffffU, xml_text(text));
}

// Before the last tag, so that they stand above everything else.
void add_texts(const std::filesystem::path& file, const std::string& texts, double scale) {
  std::ifstream in(file, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  in.close();
  const std::size_t end = content.rfind("</svg>");
  if (end == std::string::npos) return;
  content.insert(end,
                 scale == 1 ? texts : fmt::format("<g transform=\"scale({:.6f})\">\n{}</g>\n", scale, texts));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << content << std::flush;
  if (!out) throw std::runtime_error("cannot write `" + file.string() + "`");
}

std::size_t utf8_start(const std::string& text, std::size_t place) {
  while (place > 0 && (static_cast<unsigned char>(text[place]) & 0xc0) == 0x80) --place;
  return place;
}

}  // namespace

void Canvas::set(const Colour& colour) {
  cairo_set_source_rgb(context_, colour.red, colour.green, colour.blue);
}

void Canvas::fill(const Rectangle& area, const Colour& colour) {
  set(colour);
  cairo_rectangle(context_, area.x, area.y, area.width, area.height);
  cairo_fill(context_);
}

void Canvas::frame(const Rectangle& area, const Colour& colour, double width) {
  set(colour);
  cairo_set_line_width(context_, width);
  cairo_rectangle(context_, area.x, area.y, area.width, area.height);
  cairo_stroke(context_);
}

void Canvas::line(const std::vector<Point>& points, const Colour& colour, double width) {
  set(colour);
  cairo_set_line_width(context_, width);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  cairo_new_path(context_);
  for (const Point& point : points) cairo_line_to(context_, point.x, point.y);
  cairo_stroke(context_);
}

void Canvas::area(const std::vector<Point>& corners, const Colour& colour) {
  set(colour);
  cairo_new_path(context_);
  for (const Point& corner : corners) cairo_line_to(context_, corner.x, corner.y);
  cairo_fill(context_);
}

void Canvas::disc(Point centre, double radius, const Colour& inside, const Colour& edge) {
  cairo_new_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  set(inside);
  cairo_fill_preserve(context_);
  set(edge);
  cairo_set_line_width(context_, 1.2);
  cairo_stroke(context_);
}

void Canvas::hatch(std::span<const Rectangle> areas, bool is_falling) {
  if (areas.empty()) return;
  double left = areas[0].x, top = areas[0].y, right = left, bottom = top;
  cairo_save(context_);
  for (const Rectangle& area : areas) {
    left = std::min(left, area.x);
    top = std::min(top, area.y);
    right = std::max(right, area.right());
    bottom = std::max(bottom, area.bottom());
    cairo_rectangle(context_, area.x, area.y, area.width, area.height);
  }
  cairo_clip(context_);
  for (double sum = left + top; sum < right + bottom; sum += kHatchSpacing) {
    std::vector<Point> ends = {{sum - top, top}, {sum - bottom, bottom}};
    if (is_falling)
      for (Point& end : ends) end.x = left + right - end.x;
    line(ends, kPaper, 2.4);
    line(ends, kInk, 1);
  }
  cairo_restore(context_);
}

void Canvas::image(const Rectangle& area, std::span<const Colour> pixels, std::size_t n_columns) {
  const std::size_t n_rows = pixels.size() / n_columns;
  const auto scale = [](std::size_t n) {
    return static_cast<std::size_t>(std::ceil(kImageSize / static_cast<double>(n)));
  };
  const std::size_t across = scale(n_columns), down = scale(n_rows);
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(n_columns * across),
                                                   static_cast<int>(n_rows * down)),
                        cairo_surface_destroy);
  unsigned char* bytes = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  cairo_surface_flush(surface.get());
  for (std::size_t row = 0; row < n_rows * down; ++row) {
    auto* line_of_pixels = reinterpret_cast<std::uint32_t*>(bytes + row * stride);
    for (std::size_t column = 0; column < n_columns * across; ++column)
      line_of_pixels[column] = packed(pixels[row / down * n_columns + column / across]);
  }
  cairo_surface_mark_dirty(surface.get());
  cairo_save(context_);
  cairo_translate(context_, area.x, area.y);
  cairo_scale(context_, area.width / static_cast<double>(n_columns * across),
              area.height / static_cast<double>(n_rows * down));
  cairo_set_source_surface(context_, surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_, 0, 0, static_cast<double>(n_columns * across),
                  static_cast<double>(n_rows * down));
  cairo_fill(context_);
  cairo_restore(context_);
}

void Canvas::choose_font(const TextStyle& style) {
  cairo_select_font_face(context_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context_, style.size);
}

double Canvas::text_width(const std::string& text, const TextStyle& style) {
  choose_font(style);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, with_minus_signs(text).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(Point at, const std::string& text, const TextStyle& style) {
  if (texts_ != nullptr) {
    *texts_ += svg_text(at, with_minus_signs(text), style);
    return;
  }
  const double shift = style.align == Align::left     ? 0
                       : style.align == Align::centre ? text_width(text, style) / 2
                                                      : text_width(text, style);
  choose_font(style);
  set(style.colour);
  cairo_save(context_);
  cairo_translate(context_, at.x, at.y);
  if (style.is_upward) cairo_rotate(context_, -std::numbers::pi / 2);
  cairo_move_to(context_, -shift, 0);
  cairo_show_text(context_, with_minus_signs(text).c_str());
  cairo_restore(context_);
}

std::string Canvas::fitted(const std::string& text, double width, const TextStyle& style) {
  if (text_width(text, style) <= width) return text;
  std::size_t end = text.size();
  while (end > 0 && text_width(text.substr(0, end) + "…", style) > width) end = utf8_start(text, end - 1);
  return text.substr(0, end) + "…";
}

void Canvas::paragraph(Point at, const std::string& text, double width, std::size_t n_lines,
                       const TextStyle& style) {
  constexpr double spacing = 1.25;
  std::string rest = text;
  for (std::size_t line = 0; !rest.empty() && line < n_lines; ++line) {
    std::size_t end = rest.size();
    while (end != std::string::npos && end > 0 && text_width(rest.substr(0, end), style) > width)
      end = rest.rfind(' ', end - 1);
    const bool is_last = line + 1 == n_lines || end == std::string::npos || end == 0;
    this->text({at.x, at.y + spacing * style.size * static_cast<double>(line)},
               is_last ? fitted(rest, width, style) : rest.substr(0, end), style);
    if (is_last) return;
    rest = end < rest.size() ? rest.substr(end + 1) : std::string();
  }
}

void Canvas::clipped(const Rectangle& area, const std::function<void()>& draw) {
  cairo_save(context_);
  cairo_rectangle(context_, area.x, area.y, area.width, area.height);
  cairo_clip(context_);
  draw();
  cairo_restore(context_);
}

void draw_picture(const std::vector<std::filesystem::path>& files, double width, double height,
                  const std::function<void(Canvas&)>& draw, double scale) {
  const double pixels = std::min(scale == 1 ? kPixelsPerPoint : scale * kPrintedPixelsPerPoint,
                                 kMostPixels / std::max(width, height));
  for (const std::filesystem::path& path : files) {
    AtomicFile file(path);
    const bool is_svg = path.extension() == ".svg", is_png = !is_svg && path.extension() != ".pdf";
    const Surface surface(
        is_svg   ? cairo_svg_surface_create(file.temporary().c_str(), width * scale, height * scale)
        : is_png ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * pixels)),
                                              static_cast<int>(std::ceil(height * pixels)))
                 : cairo_pdf_surface_create(file.temporary().c_str(), width * scale, height * scale),
        cairo_surface_destroy);
    check(cairo_surface_status(surface.get()), path);
    std::string texts;
    {
      const Context context(cairo_create(surface.get()), cairo_destroy);
      const double zoom = is_png ? pixels : scale;
      cairo_scale(context.get(), zoom, zoom);
      Canvas canvas(context.get(), is_svg ? &texts : nullptr);
      canvas.fill({0, 0, width + 1, height + 1}, kPaper);  // the last row of pixels may be part of one only
      draw(canvas);
      check(cairo_status(context.get()), path);
    }
    if (is_png) check(cairo_surface_write_to_png(surface.get(), file.temporary().c_str()), path);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()), path);
    if (is_svg) add_texts(file.temporary(), texts, scale);
    file.commit();
  }
}

}  // namespace greybox
