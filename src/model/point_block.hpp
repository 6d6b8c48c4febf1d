// An evaluator's memory and work: the stages of a PointPlan on one or several samples that share point and θ.
#pragma once

#include <span>
#include <vector>

#include "model/call_tangent.hpp"
#include "model/point_plan.hpp"
#include "model/sample_data.hpp"
#include "model/stage_block.hpp"

namespace greybox {

// Every sample holds the same point, θ and inputs; gradients have cotangents of their own, so that a reverse
// pass makes as many rows of a Jacobian as there are samples.
class PointBlock {
 public:
  using Quantity = Evaluator::Quantity;

  PointBlock(const PointPlan& plan, const NetworkSet<double>& networks, std::size_t n_samples);

  std::size_t n_samples() const { return n_samples_; }
  double start_time() { return data_.start_time()[0]; }

  // Runs the sample stage, which all evaluations after it rely on.
  void set_theta(std::span<const double> theta);
  void set_start_time(double t0);
  void set_inputs(std::span<const double> values);
  // Inputs as the window has them at that time.
  void take_window_inputs(double t);
  void copy_initial(std::span<double> out);

  // Values, for all samples; `copy_values` are those of the first.
  void forward(Quantity of, double t, std::span<const double> state);
  void copy_values(Quantity of, std::span<double> out);

  // Gradients at the point of the last forward of the quantity: clear, set cotangents, reverse, read.
  void clear_gradients(Quantity of);
  void seed(Quantity of, std::size_t sample, std::span<const double> cotangent);
  void seed_unit(Quantity of, std::size_t sample, std::size_t row);
  void reverse(Quantity of);
  // After reverse: carries the gradients on to θ.
  void reverse_sample_stage(Quantity of);
  void copy_state_gradient(std::size_t sample, std::span<double> out) const;
  double state_gradient_along(std::size_t sample, std::span<const double> tangent) const;
  void copy_theta_gradient(std::span<double> out) const;
  void copy_input_gradient(std::span<double> out) const;

  // (∂q/∂s) v at the point of the last forward, by forward mode; blocks of one sample only.
  void tangent(Quantity of, std::span<const double> tangent, std::span<double> out);

 private:
  struct Place {
    const double* value;
    double* gradient;
    double* tangent;
  };
  // A quantity's stage, and the tangents of the networks that it calls (blocks of one sample only).
  struct Work {
    StageBlock<double> stage;
    std::vector<CallTangent> tangents;
  };
  Place place_of(const LeafRef& leaf);
  void bind_inputs(StageBlock<double>& stage);
  void load_window();
  void run_sample_stage();
  Work& work(Quantity of) { return works_[PointPlan::index(of)]; }

  const PointPlan* plan_;
  const NetworkSet<double>* networks_;
  std::size_t n_samples_, stride_;
  SampleData<double> data_;
  AlignedBuffer<double> times_, grad_theta_;
  std::vector<AlignedBuffer<double>> grad_inputs_;
  std::vector<AlignedBuffer<double>> state_, grad_state_, tangent_state_;
  StageBlock<double> sample_;
  std::vector<Work> works_;
};

}  // namespace greybox
