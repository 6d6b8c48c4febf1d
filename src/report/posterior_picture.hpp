// A distribution as a picture: what is known about each parameter, how it was found, and pairs of parameters.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/picture.hpp"
#include "greybox/sample.hpp"

namespace greybox {

void draw_posterior(const Posterior& posterior, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style = {});

}  // namespace greybox
