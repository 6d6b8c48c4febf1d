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

// How much higher than learned they start, in standard deviations of their priors: [learned start][window].
using StartShifts = std::vector<std::vector<double>>;

// A learned start of a hidden state.
struct HiddenStart {
  // Of the program of starts: its constant.
  std::size_t input = 0;
  // The constant of every window, and what one standard deviation is.
  std::vector<double> learned;
  double standard = 1;
  // Windows with the same number start alike.
  std::vector<std::size_t> slots;
};

// dh/dt = f(m(t), h; θ) + drift · h, where no network enters, by the classical Runge–Kutta method; m(t) is a
// cubic between snapshots.
class HiddenStates {
 public:
  // `weights`: what learned starts are taken from; `points` and `data` must outlive it.
  HiddenStates(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
               std::span<const double> weights, const std::vector<std::size_t>& hidden);
  HiddenStates(const HiddenStates&) = delete;
  HiddenStates& operator=(const HiddenStates&) = delete;

  const std::vector<std::size_t>& states() const { return hidden_; }
  const std::vector<HiddenStart>& starts() const { return starts_; }
  // [state among the hidden][point]; no shifts: from where they were learned to start.
  const std::vector<std::vector<double>>& at(std::span<const double> theta, const StartShifts& shifts);
  // Of each hidden state: its root mean square rate per root mean square value.
  std::vector<double> paces(std::span<const double> theta);

 private:
  // A part of the model's graph with its leaves, one number per window each.
  struct Part {
    Part(const BoundModel& model, const std::vector<NodeId>& roots, std::size_t n_windows);
    void forward(std::size_t n);

    std::vector<LeafRef> leaves;
    Program program;
    Frame<double> frame;
    std::vector<AlignedBuffer<double>> inputs;
  };
  static std::vector<NodeId> leaves_of(const BoundModel& model, const std::vector<NodeId>& roots);
  void set_given(Part& part, std::span<const double> weights);
  void set_theta(Part& part, std::span<const double> theta);
  void find_starts();
  void bring_to_prior();
  void plan_steps();
  // Points of a window between which its step k lies.
  std::pair<std::size_t, std::size_t> neighbours(std::size_t window, std::size_t k) const;
  double length_of(std::size_t window, std::size_t k) const;
  double input_between(std::size_t input, std::size_t a, std::size_t b, double share) const;
  double state_between(std::size_t state, std::size_t a, std::size_t b, double share) const;
  AlignedBuffer<double> nodes_of(const LeafRef& leaf) const;
  void find_rates(std::size_t node, const std::vector<std::vector<double>>& hidden);
  void advance(std::size_t k);

  const LoadedModel* loaded_;
  const MatchingPoints* points_;
  const MatchedData* data_;
  std::vector<std::size_t> hidden_;
  std::size_t n_windows_, longest_ = 0, n_nodes_ = 0;
  Part start_, rate_;
  std::vector<HiddenStart> starts_;
  // Of every step from snapshot to snapshot.
  std::vector<std::size_t> n_steps_, first_node_;
  // Of one step, [snapshot][window].
  std::vector<double> lengths_;
  // Inputs of `rate_`: hidden states, and what is known at every node, [node][window].
  std::vector<std::pair<std::size_t, std::size_t>> own_;
  std::vector<std::pair<std::size_t, AlignedBuffer<double>>> moving_;
  // [state][window], and per point.
  std::vector<std::vector<double>> present_, before_, stage_, sum_, values_;
};

}  // namespace greybox
