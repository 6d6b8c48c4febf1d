// Reaction and diffusion in one sweep over the grid per Runge–Kutta stage.
#include "data/reaction_diffusion.hpp"

#include <algorithm>
#include <utility>

namespace greybox {
namespace {

constexpr double kDiffusionU = 0.0015;
constexpr double kDiffusionV = 0.005;
constexpr double kOffset = 0.005;
constexpr double kStep = 1.0 / static_cast<double>(ReactionDiffusion::kStepsPerTime);

}  // namespace

ReactionDiffusion::ReactionDiffusion(std::size_t grid_size) : size_(grid_size), stride_(grid_size + 2) {
  const double mesh_step = 2.0 / static_cast<double>(grid_size - 1);
  per_area_ = 1 / (mesh_step * mesh_step);
  for (Fields* fields : {&state_, &sum_, &stage_, &next_}) {
    fields->u.assign(stride_ * stride_, 0);
    fields->v.assign(stride_ * stride_, 0);
  }
}

void ReactionDiffusion::set(std::size_t point, double u, double v) {
  const std::size_t i = index(point / size_, point % size_);
  state_.u[i] = u;
  state_.v[i] = v;
}

void ReactionDiffusion::advance(std::size_t n_steps) {
  for (std::size_t i = 0; i < n_steps; ++i) step();
}

void ReactionDiffusion::copy_to(float* u, float* v) const {
  for (std::size_t point = 0; point < size_ * size_; ++point) {
    const std::size_t i = index(point / size_, point % size_);
    u[point] = static_cast<float>(state_.u[i]);
    v[point] = static_cast<float>(state_.v[i]);
  }
}

void ReactionDiffusion::copy_edges(std::vector<double>& plane) const {
  for (std::size_t row = 0; row < size_; ++row) {
    plane[index(row, 0) - 1] = plane[index(row, 0)];
    plane[index(row, size_ - 1) + 1] = plane[index(row, size_ - 1)];
  }
  std::copy_n(plane.begin() + static_cast<std::ptrdiff_t>(stride_), stride_, plane.begin());
  std::copy_n(plane.end() - 2 * static_cast<std::ptrdiff_t>(stride_), stride_,
              plane.end() - static_cast<std::ptrdiff_t>(stride_));
}

void ReactionDiffusion::step() {
  std::fill(sum_.u.begin(), sum_.u.end(), 0);
  std::fill(sum_.v.begin(), sum_.v.end(), 0);
  copy_edges(state_.u);
  copy_edges(state_.v);
  stage(state_, 1, kStep / 2, stage_);
  stage(stage_, 2, kStep / 2, next_);
  stage(next_, 2, kStep, stage_);
  stage(stage_, 1, 0, next_);
  for (std::size_t i = 0; i < state_.u.size(); ++i) {
    state_.u[i] += kStep / 6 * sum_.u[i];
    state_.v[i] += kStep / 6 * sum_.v[i];
  }
}

// Adds weight × derivative at `at` to the sum, and leaves state + reach × derivative in `next`.
void ReactionDiffusion::stage(const Fields& at, double weight, double reach, Fields& next) {
  const double per_area = per_area_;
  for (std::size_t row = 0; row < size_; ++row) {
    const std::size_t begin = index(row, 0);
    const double *u = &at.u[begin], *v = &at.v[begin];
    const double *u_up = u - stride_, *u_down = u + stride_, *v_up = v - stride_, *v_down = v + stride_;
    const double *state_u = &state_.u[begin], *state_v = &state_.v[begin];
    // Without the promise that these do not overlap, the loop would not be vectorised.
    double* __restrict sum_u = &sum_.u[begin], * __restrict sum_v = &sum_.v[begin];
    double* __restrict next_u = &next.u[begin], * __restrict next_v = &next.v[begin];
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(size_); ++i) {
      const double laplacian_u = per_area * (u_up[i] + u_down[i] + u[i - 1] + u[i + 1] - 4 * u[i]);
      const double laplacian_v = per_area * (v_up[i] + v_down[i] + v[i - 1] + v[i + 1] - 4 * v[i]);
      const double slope_u = kDiffusionU * laplacian_u + u[i] - u[i] * u[i] * u[i] - v[i] - kOffset;
      const double slope_v = kDiffusionV * laplacian_v + u[i] - v[i];
      sum_u[i] += weight * slope_u;
      sum_v[i] += weight * slope_v;
      next_u[i] = state_u[i] + reach * slope_u;
      next_v[i] = state_v[i] + reach * slope_v;
    }
  }
  copy_edges(next.u);
  copy_edges(next.v);
}

}  // namespace greybox
