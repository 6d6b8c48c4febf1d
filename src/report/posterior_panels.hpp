// The panels of a distribution's picture.
#pragma once

#include "greybox/sample.hpp"
#include "report/canvas.hpp"

namespace greybox {

// The density of one parameter, and its prior for comparison.
void draw_marginal(Canvas& canvas, const Rectangle& area, const PosteriorParameter& parameter);
// The draws in their order, one colour per chain.
void draw_trace(Canvas& canvas, const Rectangle& area, const Posterior& posterior, std::size_t parameter);
// Mean and standard deviation at several β.
void draw_sensitivity(Canvas& canvas, const Rectangle& area, const Posterior& posterior,
                      std::size_t parameter);
// The density over two parameters.
void draw_pair(Canvas& canvas, const Rectangle& area, const Posterior& posterior, const PosteriorPair& pair);

}  // namespace greybox
