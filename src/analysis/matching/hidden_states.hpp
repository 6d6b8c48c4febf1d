// States that are not measured, at any θ: integrated along the smoothed measured ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/matching/matched_data.hpp"
#include "language/program.hpp"

namespace greybox {

// Which states the data do not give, by index; none in algebraic models.
std::vector<std::size_t> hidden_states(const BoundModel& model, const MeasuredStates& measured);
// Why they do not follow from θ and the measured ones; empty: they do.
std::string obstacle_of_hidden(const BoundModel& model, const std::vector<std::size_t>& hidden);
// Whether some of them start at numbers that were learned.
bool has_learned_start(const BoundModel& model, const std::vector<std::size_t>& hidden);

// dh/dt = f(m(t), h; θ), where no network enters, by the classical Runge–Kutta method; m(t) is a cubic
// between snapshots, with the smoothed values and derivatives at both ends.
class HiddenStates {
 public:
  // `weights`: what learned starts are taken from; `points` and `data` must outlive it.
  HiddenStates(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
               std::span<const double> weights, const std::vector<std::size_t>& hidden);
  HiddenStates(const HiddenStates&) = delete;
  HiddenStates& operator=(const HiddenStates&) = delete;

  const std::vector<std::size_t>& states() const { return hidden_; }
  // [state among the hidden][point]
  const std::vector<std::vector<double>>& at(std::span<const double> theta);

 private:
  // A part of the model's graph with its leaves, one number per window each.
  struct Part {
    Part(const BoundModel& model, const std::vector<NodeId>& roots, std::size_t n_windows);
    void forward(std::size_t n);
    double* values_of(LeafKind kind, std::size_t index, std::size_t position = 0);

    std::vector<LeafRef> leaves;
    Program program;
    Frame<double> frame;
    std::vector<AlignedBuffer<double>> inputs;
    // Arrays that nobody reads.
    AlignedBuffer<double> unread;
  };
  static std::vector<NodeId> leaves_of(const BoundModel& model, const std::vector<NodeId>& roots);
  void set_given(Part& part, std::span<const double> weights);
  void set_theta(Part& part, std::span<const double> theta);
  // Leaves of the present: `share` of the way from point `k` of every window to the next.
  void move_to(std::size_t k, double share, const std::vector<std::vector<double>>& hidden);
  double input_between(std::size_t input, std::size_t a, std::size_t b, double share) const;
  void advance(std::size_t k);

  const LoadedModel* loaded_;
  const MatchingPoints* points_;
  const MatchedData* data_;
  std::vector<std::size_t> hidden_;
  std::size_t n_windows_, longest_ = 0;
  Part start_, rate_;
  // [state][window], and per point.
  std::vector<std::vector<double>> present_, values_;
};

}  // namespace greybox
