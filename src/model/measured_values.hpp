// Values of a model's equations at measured snapshots, before anything is trained: θ is drawn from its prior,
// and networks add nothing.
#pragma once

#include <span>
#include <vector>

#include "model/samples.hpp"

namespace greybox {

// A row of a window.
struct WindowRow {
  std::size_t first_row = 0, row = 0, last_row = 0;
};

class MeasuredValues {
 public:
  MeasuredValues(const BoundModel& model, const WindowData& data, std::vector<WindowRow> rows);

  std::size_t n_rows() const { return rows_.size(); }
  // Row by row, and grid point by grid point where it is a field. States are what their initial values would
  // be if the window began in that row.
  std::vector<double> values(NodeId node);
  // Partial derivatives of the sum of `node` over the grid with respect to the outputs of a network,
  // likewise.
  std::vector<std::vector<double>> gradients(NodeId node, const BoundNetwork& network);

 private:
  std::vector<NodeId> leaves_behind(NodeId node) const;
  std::vector<double> leaf_values(NodeId leaf);
  double leaf_value(const LeafRef& leaf, std::size_t i, std::size_t point) const;

  const BoundModel& model_;
  const WindowData& data_;
  std::vector<WindowRow> rows_;
  // Per state; empty until it is asked for.
  std::vector<std::vector<double>> states_;
};

}  // namespace greybox
