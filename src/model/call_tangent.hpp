// Whole passes through a stage on one block, and directional derivatives of the networks that it calls.
#pragma once

#include <vector>

#include "model/stage_block.hpp"

namespace greybox {

// All actions of a stage, with the block as the whole batch where a network asks for statistics of one.
void run_stage(StageBlock<double>& block, std::size_t n_samples);
void reverse_stage(StageBlock<double>& block, std::size_t n_samples);

// J v of a network called by a stage, for one sample. Networks have no forward mode, so each value of the
// outputs takes a reverse pass and a product with v.
class CallTangent {
 public:
  // The stage's registers of the network's outputs read their tangents from here.
  CallTangent(const BoundModel& model, StageBlock<double>& block, std::size_t call);

  // After a forward pass of the stage, and once the tangents of the network's inputs are there.
  void run(StageBlock<double>& block);

 private:
  void reverse(StageBlock<double>& block);
  double along_inputs(StageBlock<double>& block) const;

  std::size_t call_, n_phases_ = 0;
  std::size_t input_points_ = 1, output_points_ = 1;
  std::vector<AlignedBuffer<double>> tangents_, grad_outputs_, grad_inputs_;
  std::vector<double*> grad_output_pointers_, grad_input_pointers_;
};

}  // namespace greybox
