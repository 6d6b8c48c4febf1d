#include "progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "terminal.hpp"

namespace greybox::apps {
namespace {

constexpr std::size_t kBar = 24, kShortBar = 10;

std::string bar_of(double fraction, std::size_t length) {
  const auto n_full = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(length));
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += i < n_full ? "█" : "░";
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole % 3600 / 60);
}

std::string joined(const std::vector<LinePart>& parts) {
  std::string text;
  for (const LinePart& part : parts) text += (text.empty() ? "" : "  ") + part.text;
  return text;
}

std::string progress_line(double fraction, std::vector<LinePart> parts, std::size_t width) {
  const auto lower = [](const LinePart& a, const LinePart& b) { return a.rank < b.rank; };
  for (;;) {
    const std::string text = joined(parts);
    const std::size_t taken = n_characters(text) + 1;
    if (taken + kBar <= width) return bar_of(fraction, kBar) + " " + text;
    if (taken + kShortBar <= width) return bar_of(fraction, width - taken) + " " + text;
    if (parts.size() < 2) return shortened(text, width);
    parts.erase(std::min_element(parts.begin(), parts.end(), lower));
  }
}

}  // namespace greybox::apps
