#include "report/picture_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "report/canvas.hpp"

namespace greybox::test {
namespace {

TEST(PictureText, HyphensOfNumbersBecomeMinus) {
  EXPECT_EQ(with_minus_signs("-3 at c = -0.5, 1e-05 (-2)"), "−3 at c = −0.5, 1e−05 (−2)");
  EXPECT_EQ(with_minus_signs("grey-box, x-1"), "grey-box, x-1");
  EXPECT_EQ(with_minus_signs("a - 1.6e-05*b - c"), "a − 1.6e−05*b − c");
}

TEST(PictureText, SentencesBeginWithACapital) {
  EXPECT_EQ(sentence_text("every θ here fits"), "Every θ here fits");
  EXPECT_EQ(sentence_text("θ fits"), "θ fits");
  EXPECT_EQ(sentence_text(""), "");
}

TEST(PictureText, PowersOfUnitsAreRaised) {
  EXPECT_EQ(unit_text("m/s^2"), "m/s²");
  EXPECT_EQ(unit_text("kg·m^-12"), "kg·m⁻¹²");
  EXPECT_EQ(unit_text("1/s"), "1/s");
}

TEST(PictureText, TextOfAnSvgIsText) {
  const auto file = std::filesystem::temp_directory_path() / "greybox-picture-text.svg";
  draw_picture({file}, 100, 50, [](Canvas& canvas) { canvas.text({10, 20}, "g < -9.81 & more"); });
  std::ifstream stream(file);
  const std::string svg((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::filesystem::remove(file);
  EXPECT_NE(svg.find(">g &lt; −9.81 &amp; more</text>"), std::string::npos) << svg;
  EXPECT_LT(svg.find("</text>"), svg.find("</svg>"));
}

TEST(PictureText, ParagraphsTakeTheLinesTheyNeed) {
  const auto file = std::filesystem::temp_directory_path() / "greybox-paragraph.svg";
  draw_picture({file}, 100, 50, [](Canvas& canvas) {
    canvas.paragraph({0, 10}, "several words that do not fit into one line", 100, 3, {.size = 10});
  });
  std::ifstream stream(file);
  std::string svg((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>()), all;
  std::filesystem::remove(file);
  for (std::size_t end = svg.find("</text>"); end != std::string::npos; end = svg.find("</text>", end + 1))
    all += svg.substr(svg.rfind('>', end) + 1, end - svg.rfind('>', end) - 1) + " ";
  EXPECT_EQ(all, "several words that do not fit into one line ");
}

}  // namespace
}  // namespace greybox::test
