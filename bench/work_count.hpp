// How many floating-point operations a batch takes, by the sizes of its networks.
#pragma once

#include "model/engine.hpp"

namespace greybox::bench {

// Multiplications and additions of the networks' matrix products in one forward pass over the batch that the
// engine has just seen; everything else is left out. A training step takes three times as many: values,
// gradients of the inputs, gradients of the weights.
double forward_flops(const Engine<float>& engine);

}  // namespace greybox::bench
