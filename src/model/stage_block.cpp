#include "model/stage_block.hpp"

#include <algorithm>

namespace greybox {

template <class T>
StageBlock<T>::StageBlock(const BoundModel& model, const Stage& stage, const NetworkSet<T>& networks,
                          std::size_t capacity, std::size_t n_slots, Frames* frames)
    : stage_(&stage),
      capacity_(capacity),
      n_slots_(n_slots),
      frames_(frames),
      frame_(frames ? Frame<T>(stage.program(), *typename Frames::Loan(*frames))
                    : Frame<T>(stage.program(), capacity)) {
  for (const NetworkCall& call : stage.calls()) {
    CallMemory memory;
    memory.call = &call;
    memory.network = &networks[call.network];
    memory.weight_offset = networks.offset(call.network);
    memory.stride = padded<T>(capacity * model.points(stage.program().shape(call.outputs[0])));
    const std::size_t n_outputs = call.outputs.size();
    memory.tape = memory.network->make_tape(capacity, n_slots);
    memory.given.resize(memory.network->n_given());
    memory.outputs = AlignedBuffer<T>(n_slots * n_outputs * memory.stride);
    memory.grad_outputs = AlignedBuffer<T>(n_outputs * memory.stride);
    memory.input_pointers.resize(call.inputs.size());
    memory.grad_input_pointers.resize(call.inputs.size());
    memory.output_pointers.resize(n_outputs);
    for (std::size_t o = 0; o < n_outputs; ++o)
      memory.grad_output_pointers.push_back(memory.grad_outputs.data() + o * memory.stride);
    calls_.push_back(std::move(memory));
  }
  select(0);
}

template <class T>
const Network<T>& StageBlock<T>::network_of(const Action& action) const {
  return *calls_[action.index].network;
}

template <class T>
std::span<const double> StageBlock<T>::given(const Action& action) {
  CallMemory& memory = calls_[action.index];
  memory.network->give(*memory.tape, memory.given.data());
  return memory.given;
}

template <class T>
bool StageBlock<T>::ensure_slots(std::size_t n_slots) {
  if (n_slots <= n_slots_) return false;
  n_slots_ = n_slots;
  for (CallMemory& memory : calls_) {
    memory.tape = memory.network->make_tape(capacity_, n_slots);
    memory.outputs = AlignedBuffer<T>(n_slots * memory.call->outputs.size() * memory.stride);
  }
  select(0);
  return true;
}

template <class T>
void StageBlock<T>::select(std::size_t slot) {
  for (CallMemory& memory : calls_) {
    const std::size_t n_outputs = memory.call->outputs.size();
    T* base = memory.outputs.data() + slot * n_outputs * memory.stride;
    for (std::size_t o = 0; o < n_outputs; ++o) {
      memory.output_pointers[o] = base + o * memory.stride;
      frame_.bind(memory.call->outputs[o], memory.output_pointers[o], memory.grad_output_pointers[o]);
    }
  }
}

template <class T>
void StageBlock<T>::gather_inputs(CallMemory& memory) {
  for (std::size_t i = 0; i < memory.call->inputs.size(); ++i) {
    memory.input_pointers[i] = frame_.value(memory.call->inputs[i]);
    memory.grad_input_pointers[i] = frame_.gradient(memory.call->inputs[i]);
  }
}

template <class T>
void StageBlock<T>::begin(std::size_t n_samples) {
  for (CallMemory& memory : calls_) {
    gather_inputs(memory);
    memory.network->begin(*memory.tape, n_samples, memory.input_pointers.data());
  }
}

template <class T>
void StageBlock<T>::forward(const Action& action, std::size_t slot, std::size_t n_samples) {
  if (action.kind == Action::Kind::section) return frame_.forward(action.index, n_samples);
  CallMemory& memory = calls_[action.index];
  gather_inputs(memory);
  memory.network->forward(*memory.tape, slot, action.phase, n_samples, memory.input_pointers.data(),
                          memory.output_pointers.data());
}

template <class T>
void StageBlock<T>::recompute(std::size_t n_samples) {
  for (std::size_t section = 0; section < stage_->program().n_sections(); ++section)
    frame_.forward(section, n_samples);
}

template <class T>
void StageBlock<T>::clear_gradients() {
  frame_.clear_gradients();
  for (CallMemory& memory : calls_) memory.grad_outputs.fill(0);
}

template <class T>
void StageBlock<T>::backward(const Action& action, std::size_t slot, std::size_t n_samples) {
  if (action.kind == Action::Kind::section) return frame_.reverse(action.index, n_samples);
  CallMemory& memory = calls_[action.index];
  gather_inputs(memory);
  memory.network->backward(*memory.tape, slot, action.phase, n_samples, memory.grad_output_pointers.data(),
                           memory.grad_input_pointers.data());
}

template <class T>
void StageBlock<T>::flush(std::size_t first_slot, std::size_t n_slots, std::size_t n_samples) {
  for (CallMemory& memory : calls_) memory.network->flush(*memory.tape, first_slot, n_slots, n_samples);
}

template <class T>
void StageBlock<T>::end(std::size_t n_samples) {
  for (CallMemory& memory : calls_) {
    gather_inputs(memory);
    memory.network->end(*memory.tape, n_samples, memory.grad_input_pointers.data());
  }
}

template <class T>
void StageBlock<T>::clear_weight_gradients(bool are_needed) {
  for (CallMemory& memory : calls_) {
    memory.tape->needs_weight_gradient = are_needed;
    memory.network->clear_weight_gradient(*memory.tape);
  }
}

template <class T>
void StageBlock<T>::add_weight_gradients(T* gradient) const {
  for (const CallMemory& memory : calls_)
    memory.network->add_weight_gradient(*memory.tape, gradient + memory.weight_offset);
}

template class StageBlock<float>;
template class StageBlock<double>;

}  // namespace greybox
