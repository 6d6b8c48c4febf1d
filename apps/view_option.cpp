#include "view_option.hpp"

#include <fmt/format.h>

#include "option_text.hpp"

namespace greybox::apps {

LandscapePlane parse_view(const std::string& text) {
  const std::string pca = "pca", pca_of = "pca:";
  if (text.empty()) return {};
  if (text == "random") return RandomPlane{};
  if (text == pca) return PrincipalPlane{};
  if (text.starts_with(pca_of) && text.size() > pca_of.size())
    return PrincipalPlane{text.substr(pca_of.size())};
  refuse_flag("--view", fmt::format("there is no view `{}`", text),
              "the views are random, pca and pca:REGULARIZER");
}

}  // namespace greybox::apps
