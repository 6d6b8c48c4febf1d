// How what is observed changes with θ when the networks are silent, over the windows of the data.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "analysis/theta/theta_box.hpp"
#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

struct OutputSensitivity {
  std::vector<double> theta;
  // Observed values × parameters: in units of the outputs' spread and of the parameters' ranges, divided by
  // the root of the number of rows. Without rows where a trajectory became non-finite.
  Eigen::MatrixXd matrix;
  // Rows that were left out, as a part of all.
  double lost = 0;
};

// The model with a solver whose steps do not depend on θ, so that differences are smooth. `table` is what it
// was loaded from.
LoadedModel with_fixed_steps(const LoadedModel& loaded, std::shared_ptr<const DataTable> table);

// A draw of the prior, moved inwards where its neighbours would lie outside the bounds.
std::vector<double> inner_draw(const ThetaBox& box, std::uint64_t seed, std::uint64_t number);
// By central differences in double precision.
OutputSensitivity output_sensitivity(const LoadedModel& loaded, const ThetaBox& box,
                                     const std::vector<std::size_t>& windows, std::vector<double> theta,
                                     ThreadPool& pool);

// How far θ is moved for a difference, and the unit in which parameters are measured.
double difference_step(const ThetaBox& box, std::size_t parameter);
double range_of(const ThetaBox& box, std::size_t parameter);

}  // namespace greybox
