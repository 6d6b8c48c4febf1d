// What stands above every figure.
#include <algorithm>

#include "report/picture_style.hpp"

namespace greybox {
namespace {

constexpr double kHeaderMargin = 24, kTitleLine = 30, kTitleSize = 16, kNoteLine = 16, kNoteSize = 10.5,
                 kBareMargin = 12;
constexpr double kLetter = 0.56;
const TextStyle kBold{.size = kTitleSize, .is_bold = true}, kFaint{.size = kNoteSize, .colour = kFaintInk};

double title_height(const std::string& title, double room) {
  return kTitleLine + 1.25 * kTitleSize * static_cast<double>(n_lines_of(title, room, kTitleSize) - 1);
}

}  // namespace

std::size_t n_lines_of(const std::string& text, double width, double size) {
  const auto is_letter = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
  const auto n = static_cast<double>(std::ranges::count_if(text, is_letter));
  return 1 + static_cast<std::size_t>(n * kLetter * size / width);
}

FigureHeader::FigureHeader(std::string title, std::vector<std::string> notes, const PictureFit& fit)
    : title_(std::move(title)),
      notes_(std::move(notes)),
      room_(fit.width - 2 * kHeaderMargin),
      is_shown_(fit.has_title) {
  std::erase(notes_, "");
  height_ = kBareMargin;
  if (!is_shown_) return;
  height_ = title_height(title_, room_) + 18;
  for (const std::string& note : notes_)
    height_ += kNoteLine * static_cast<double>(n_lines_of(note, room_, kNoteSize));
}

void FigureHeader::draw(Canvas& canvas) const {
  if (!is_shown_) return;
  canvas.paragraph({kHeaderMargin, kTitleLine}, title_, room_, n_lines_of(title_, room_, kTitleSize), kBold);
  double y = title_height(title_, room_) + kNoteLine + 2;
  for (const std::string& note : notes_) {
    const std::size_t n_lines = n_lines_of(note, room_, kNoteSize);
    canvas.paragraph({kHeaderMargin, y}, note, room_, n_lines, kFaint);
    y += kNoteLine * static_cast<double>(n_lines);
  }
}

}  // namespace greybox
