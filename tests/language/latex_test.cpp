#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "language/syntax.hpp"

namespace greybox {
namespace {

TEST(Latex, ReadsAsWrittenByHand) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1.5 * g * sin(angle)", R"(1.5 \, g \, \sin\left( \mathrm{angle} \right))"},
      {"clearance * blood", R"(\mathrm{clearance} \cdot \mathrm{blood})"},
      {"alpha * x^2 - (a - b)", R"(\alpha \, x^{2} - \left(a - b\right))"},
      {"(a + b) / c * -d", R"(\frac{a + b}{c} \, \left(-d\right))"},
      {"mean(norm2(network))", R"(\mathbb{E}\left[ \left\| f_D \right\|^2 \right])"},
      {"abs(mean(dot(theory.y, network.y)))",
       R"(\left| \mathbb{E}\left[ \left\langle f_{T,y}, f_{D,y} \right\rangle \right] \right|)"},
      {"a * laplacian(u) + dx(u)", R"(a \, \nabla^2 u + \partial_x u)"},
      {"sqrt(x) + cos_angle + encoder.z[3]",
       R"(\sqrt{x} + \mathrm{cos\_angle} + {\mathrm{encoder}_{z}}_{3})"},
      {"sigmoid(2.5e-10 * pi)", R"(\operatorname{sigmoid}\left( 2.5 \cdot 10^{-10} \, \pi \right))"},
      {"where(a >= 1, -b^2, 0)", R"(\operatorname{where}\left( a \ge 1, -b^{2}, 0 \right))"},
  };
  for (const auto& [equation, latex] : cases)
    EXPECT_EQ(to_latex(*parse_equation(equation)), latex) << equation;
}

}  // namespace
}  // namespace greybox
