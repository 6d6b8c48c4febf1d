// The four experiments of the paper.
#pragma once

#include "analysis/reproduce/reproduction.hpp"

namespace greybox {

void reproduce_toy(Reproduction& work);                 // figures 2, 3 and A.1
void reproduce_pendulum(Reproduction& work);            // figures 4 and 6
void reproduce_reaction_diffusion(Reproduction& work);  // figures 5 and 7
void reproduce_predator_prey(Reproduction& work);       // figure 8

}  // namespace greybox
