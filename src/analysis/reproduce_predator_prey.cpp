#include "analysis/reproduce_experiments.hpp"
namespace greybox {
void reproduce_predator_prey(Reproduction&) {}
}  // namespace greybox
