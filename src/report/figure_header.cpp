// What stands above every figure.
#include "report/figure_picture.hpp"

namespace greybox {
namespace {

constexpr double kHeaderMargin = 24, kTitleLine = 30, kNoteLine = 16;

}  // namespace

double header_height(const std::vector<std::string>& notes) {
  return kTitleLine + kNoteLine * static_cast<double>(notes.size()) + 18;
}

void draw_header(Canvas& canvas, const std::string& title, const std::vector<std::string>& notes,
                 double width) {
  const TextStyle bold{.size = 16, .is_bold = true}, faint{.size = 10.5, .colour = kFaintInk};
  const double room = width - 2 * kHeaderMargin;
  canvas.text({kHeaderMargin, kTitleLine}, canvas.fitted(title, room, bold), bold);
  double y = kTitleLine + kNoteLine + 2;
  for (const std::string& note : notes) {
    canvas.text({kHeaderMargin, y}, canvas.fitted(note, room, faint), faint);
    y += kNoteLine;
  }
}

}  // namespace greybox
