#include "model/call_tangent.hpp"

#include <array>

namespace greybox {
namespace {

using Tape = Network<double>::Tape;

void join_alone(StageBlock<double>& block, const Action& action, bool is_forward) {
  const std::array<Tape*, 1> tapes = {&block.tape(action.index)};
  const Network<double>& network = block.network_of(action);
  const std::span<const double> given = block.given(action);
  if (is_forward)
    network.join_forward(tapes, given, 0, action.phase);
  else
    network.join_backward(tapes, given, 0, action.phase);
}

std::vector<AlignedBuffer<double>> zeros(std::size_t n_arrays, std::size_t n_values) {
  std::vector<AlignedBuffer<double>> arrays;
  for (std::size_t i = 0; i < n_arrays; ++i) arrays.emplace_back(padded<double>(n_values));
  return arrays;
}

std::vector<double*> pointers_to(std::vector<AlignedBuffer<double>>& arrays) {
  std::vector<double*> pointers;
  for (AlignedBuffer<double>& array : arrays) pointers.push_back(array.data());
  return pointers;
}

}  // namespace

void run_stage(StageBlock<double>& block, std::size_t n_samples) {
  for (const Action& action : block.stage().actions()) {
    block.forward(action, 0, n_samples);
    if (action.joins) join_alone(block, action, true);
  }
}

void reverse_stage(StageBlock<double>& block, std::size_t n_samples) {
  const std::vector<Action>& actions = block.stage().actions();
  for (std::size_t a = actions.size(); a > 0; --a) {
    block.backward(actions[a - 1], 0, n_samples);
    if (a > 1 && actions[a - 2].joins) join_alone(block, actions[a - 2], false);
  }
}

CallTangent::CallTangent(const BoundModel& model, StageBlock<double>& block, std::size_t call) : call_(call) {
  const NetworkCall& called = block.stage().calls()[call];
  const Program& program = block.stage().program();
  input_points_ = model.points(program.shape(called.inputs[0]));
  output_points_ = model.points(program.shape(called.outputs[0]));
  tangents_ = zeros(called.outputs.size(), output_points_);
  grad_outputs_ = zeros(called.outputs.size(), output_points_);
  grad_inputs_ = zeros(called.inputs.size(), input_points_);
  grad_output_pointers_ = pointers_to(grad_outputs_);
  grad_input_pointers_ = pointers_to(grad_inputs_);
  for (const Action& action : block.stage().actions())
    if (action.kind == Action::Kind::network && action.index == call) ++n_phases_;
  for (std::size_t o = 0; o < called.outputs.size(); ++o) {
    const RegisterId output = called.outputs[o];
    block.frame().bind(output, block.value(output), block.gradient(output), tangents_[o].data());
  }
}

void CallTangent::run(StageBlock<double>& block) {
  for (std::size_t o = 0; o < grad_outputs_.size(); ++o)
    for (std::size_t p = 0; p < output_points_; ++p) {
      grad_outputs_[o][p] = 1;
      for (AlignedBuffer<double>& gradient : grad_inputs_) gradient.fill(0);
      reverse(block);
      tangents_[o][p] = along_inputs(block);
      grad_outputs_[o][p] = 0;
    }
}

void CallTangent::reverse(StageBlock<double>& block) {
  Tape& tape = block.tape(call_);
  for (std::size_t phase = n_phases_; phase > 0; --phase) {
    const Action action{Action::Kind::network, call_, phase - 1, false};
    block.network_of(action).backward(tape, 0, phase - 1, 1, grad_output_pointers_.data(),
                                      grad_input_pointers_.data());
    if (phase > 1) join_alone(block, {Action::Kind::network, call_, phase - 2, true}, false);
  }
}

// Static inputs, whose gradients stay in the tape, have zero tangents anyway.
double CallTangent::along_inputs(StageBlock<double>& block) const {
  double sum = 0;
  const std::vector<RegisterId>& inputs = block.stage().calls()[call_].inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double* tangent = block.frame().tangent(inputs[i]);
    for (std::size_t p = 0; p < input_points_; ++p) sum += grad_inputs_[i][p] * tangent[p];
  }
  return sum;
}

}  // namespace greybox
