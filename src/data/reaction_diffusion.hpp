// The FitzHugh–Nagumo reaction–diffusion system that the paper makes data from.
#pragma once

#include <cstddef>
#include <vector>

namespace greybox {

// u' = a Δu + u - u³ - v - k, v' = b Δv + u - v on a square grid over [-1, 1]² without flux over the edge;
// five-point Laplacian, classic Runge–Kutta of fourth order.
class ReactionDiffusion {
 public:
  static constexpr std::size_t kStepsPerTime = 1000;

  explicit ReactionDiffusion(std::size_t grid_size);

  void set(std::size_t point, double u, double v);  // points are counted row by row
  void advance(std::size_t n_steps);
  void copy_to(float* u, float* v) const;

 private:
  // Both variables on the grid with a rim of one point, which repeats the edge so that no flux crosses it.
  struct Fields {
    std::vector<double> u, v;
  };

  std::size_t index(std::size_t row, std::size_t column) const { return (row + 1) * stride_ + column + 1; }
  void copy_edges(std::vector<double>& plane) const;
  void step();
  void stage(const Fields& at, double weight, double reach, Fields& next);

  std::size_t size_, stride_;
  double per_area_;  // 1 / mesh step²
  Fields state_, sum_, stage_, next_;
};

}  // namespace greybox
