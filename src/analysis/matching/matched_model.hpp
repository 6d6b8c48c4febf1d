// The correction that the data ask of the networks at any θ, and the regularizers of that correction.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/matching/demand.hpp"
#include "analysis/matching/matched_program.hpp"
#include "analysis/matching/projection.hpp"
#include "analysis/theta/theta_quantities.hpp"
#include "model/regularizers.hpp"

namespace greybox {

// At each point the networks' outputs are those with which the right-hand side f(s; θ) has the derivative
// that the data show there: f_D* = f_true - f_T for a sum of theory and network. No network is evaluated and
// no trajectory is computed: a θ costs microseconds, and gradients are exact. States that are not measured
// are integrated along the others, and gradients are then difference quotients. The misfit is the mean
// squared difference of derivatives that no output of the networks can remove, in units of the derivatives'
// variance.
class MatchedModel final : public ThetaQuantities {
 public:
  // `points`, `data` must outlive the model. `theta`: one at which to look at the equations.
  MatchedModel(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
               const Projections& projections, std::span<const double> theta);

  std::size_t n_quantities() const override { return values_.size(); }
  void evaluate(std::span<const double> theta) override;
  double value(std::size_t quantity) const override { return values_[quantity]; }
  void gradient(std::size_t quantity, std::span<double> grad_theta) override;
  std::vector<std::vector<double>> resampled(const Resampling& resampling) override;
  // After evaluate: the outputs that the data ask for.
  const MatchedProgram::Outputs& matched() const { return matched_; }
  // After evaluate: what a squared change of each output at each point does to the misfit, [output][point]; 1
  // where that is the same everywhere.
  std::vector<std::vector<double>> leverage();

 private:
  template <class F>
  void for_chunks(F&& f) const;
  // Of the derivatives with respect to the outputs, [state][output], where it is the same at all points that
  // are worked on at once; sets whether it depends on the outputs.
  std::vector<double> constant_jacobian(std::span<const double> theta);
  void find_inverse(std::span<const double> theta);
  // Sets θ and what follows from it; whether everything is finite.
  bool set_theta(std::span<const double> theta);
  void set_means();
  bool is_hidden(std::size_t state) const;
  void difference_gradient(std::size_t quantity, std::span<double> grad_theta);
  // Of derivatives with respect to outputs at the points of the last forward, [state][output][point].
  std::vector<double> jacobians(std::size_t n);
  // Least-squares inverse of the Jacobian at each point, [output][state][point]; or the constant one.
  double inverse(const std::vector<double>& inverses, std::size_t output, std::size_t state,
                 std::size_t point) const;
  std::vector<double> inverses(std::size_t n);
  void match(std::size_t begin, std::size_t n);
  bool step(std::size_t begin, std::size_t n);
  void add_sums(std::size_t begin, std::size_t n);
  std::vector<double> means(const double* counts) const;
  void seed(std::size_t quantity, std::size_t begin, std::size_t n, std::span<const double> grad_means);

  const MatchingPoints* points_;
  const MatchedData* data_;
  Projections projections_;
  std::size_t n_states_, n_terms_, n_outputs_;
  // None where all states are measured.
  std::unique_ptr<HiddenStates> hidden_;
  // Where hidden states start with the least correction.
  std::unique_ptr<Demand> demand_;
  // Of the last evaluation.
  std::vector<double> at_;
  MatchedProgram program_;
  std::shared_ptr<const BoundModel> model_;
  Regularizers regularizers_;
  // As the data ask for, and as the networks could give.
  MatchedProgram::Outputs matched_, attainable_, gradients_;
  bool is_projected_ = false;
  PointwiseConstraints constraints_;
  // Whether the derivatives are linear in the outputs: then one Gauss–Newton step is all of them.
  bool is_linear_ = true;
  // Least-squares inverse of a Jacobian that is the same everywhere, [output][state]; else empty.
  std::vector<double> constant_inverse_;
  // 1 / variance of each state's derivative, shared among the states.
  std::vector<double> misfit_weights_;
  std::vector<std::size_t> window_of_;
  std::vector<double> window_weights_;
  double total_weight_ = 0;
  // [term, then the misfit][window]
  std::vector<std::vector<double>> window_sums_;
  std::vector<double> values_;
};

}  // namespace greybox
