#include "analysis/reproduce_experiments.hpp"
namespace greybox {
void reproduce_reaction_diffusion(Reproduction&) {}
}  // namespace greybox
