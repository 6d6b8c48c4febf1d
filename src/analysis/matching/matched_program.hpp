// Expressions of a model at points where the states are given and the networks' outputs are free.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/matching/free_outputs.hpp"
#include "analysis/matching/matched_data.hpp"
#include "language/program.hpp"

namespace greybox {

class MatchedProgram {
 public:
  // Points that are worked on at once, at most.
  static constexpr std::size_t kChunk = 512;
  // [free output][point]
  using Outputs = std::vector<AlignedBuffer<double>>;

  // Why expressions of this model have no value at such points; empty: they have.
  static std::string obstacle(const BoundModel& model);
  MatchedProgram(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                 const std::vector<NodeId>& roots);
  MatchedProgram(const MatchedProgram&) = delete;
  MatchedProgram& operator=(const MatchedProgram&) = delete;

  std::size_t n_points() const { return n_points_; }
  Outputs make_outputs() const;
  void set_theta(std::span<const double> theta);
  // At every point, instead of what the data say.
  void set_state(std::size_t state, std::span<const double> values);

  // Values at points [begin, begin + n).
  void forward(std::size_t begin, std::size_t n, const Outputs& outputs);
  const double* value(std::size_t root) { return frame_.value(program_.output(root)); }

  // Gradients for the points of the last forward: clear, add to those of roots, reverse, read.
  void clear_gradients();
  double* gradient(std::size_t root) { return frame_.gradient(program_.output(root)); }
  void reverse(std::size_t n);
  const double* output_gradient(std::size_t output) const { return output_gradients_[output].data(); }
  // Sums over the points, added to `grad_theta`.
  void add_theta_gradient(std::size_t n, std::span<double> grad_theta) const;

 private:
  std::vector<NodeId> leaves_of(const std::vector<NodeId>& roots) const;
  std::size_t place_of(NodeId id) const;
  void place_inputs(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data);
  std::vector<double> values_of(const LeafRef& leaf, const LoadedModel& loaded, const MatchingPoints& points,
                                const MatchedData& data) const;

  const BoundModel* model_;
  std::size_t n_points_;
  std::vector<FreeOutput> free_outputs_;
  // Free outputs, and leaves of what does not follow from them.
  std::vector<NodeId> leaves_;
  Program program_;
  Frame<double> frame_;
  // Inputs of the program by what they are: (input, which parameter), (input, which output), (input, values).
  std::vector<std::pair<std::size_t, std::size_t>> parameters_, outputs_;
  std::vector<std::pair<std::size_t, AlignedBuffer<double>>> given_;
  std::vector<AlignedBuffer<double>> theta_, theta_gradients_, output_gradients_;
};

}  // namespace greybox
