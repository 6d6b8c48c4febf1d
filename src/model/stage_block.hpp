// A stage at work on one block of samples: the program's frame and the tapes and outputs of the networks it
// calls.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/lending_pool.hpp"
#include "model/network_set.hpp"
#include "model/stage.hpp"

namespace greybox {

template <class T>
class StageBlock {
 public:
  using Frames = LendingPool<FrameMemory<T>>;

  // With `frames` the block has no registers of its own but borrows them.
  StageBlock(const BoundModel& model, const Stage& stage, const NetworkSet<T>& networks, std::size_t capacity,
             std::size_t n_slots, Frames* frames = nullptr);

  // Between two joins: while it lives, the block may compute, and what it has computed is there. (Constants
  // and inputs always are.)
  class FrameLease {
   public:
    explicit FrameLease(StageBlock& block) {
      if (block.frames_ == nullptr) return;
      memory_.emplace(*block.frames_);
      block.frame_.move_to(**memory_);
    }

   private:
    std::optional<typename Frames::Loan> memory_;
  };

  const Stage& stage() const { return *stage_; }
  Frame<T>& frame() { return frame_; }
  T* value(RegisterId r) { return frame_.value(r); }
  T* gradient(RegisterId r) { return frame_.gradient(r); }
  const Network<T>& network_of(const Action& action) const;
  typename Network<T>::Tape& tape(std::size_t call) { return *calls_[call].tape; }
  // What this block gives to a join.
  std::span<const double> given(const Action& action);

  // Room for that many kept evaluations; makes new tapes, and says so, only when there are more than ever
  // before.
  bool ensure_slots(std::size_t n_slots);

  // Values: all actions in order, with outputs of networks kept in `slot`.
  void select(std::size_t slot);
  void begin(std::size_t n_samples);  // hands static inputs to the networks
  void forward(const Action& action, std::size_t slot, std::size_t n_samples);

  // Gradients: recompute the equations (networks' outputs are kept), clear, set those of the roots, then
  // actions last to first.
  void recompute(std::size_t n_samples);
  void clear_gradients();
  void backward(const Action& action, std::size_t slot, std::size_t n_samples);
  void flush(std::size_t first_slot, std::size_t n_slots, std::size_t n_samples);
  void end(std::size_t n_samples);  // gradients of static inputs

  void clear_weight_gradients(bool are_needed);
  void add_weight_gradients(T* gradient) const;

 private:
  struct CallMemory {
    const NetworkCall* call = nullptr;
    const Network<T>* network = nullptr;
    std::size_t weight_offset = 0;
    std::size_t stride = 0;  // between the arrays of two outputs
    std::unique_ptr<typename Network<T>::Tape> tape;
    AlignedBuffer<T> outputs;  // [slot][output][sample, point]
    AlignedBuffer<T> grad_outputs;
    std::vector<double> given;
    std::vector<T*> input_pointers, grad_input_pointers, output_pointers, grad_output_pointers;
  };
  void gather_inputs(CallMemory& memory);

  const Stage* stage_;
  std::size_t capacity_, n_slots_;
  Frames* frames_;
  Frame<T> frame_;
  std::vector<CallMemory> calls_;
};

extern template class StageBlock<float>;
extern template class StageBlock<double>;

}  // namespace greybox
