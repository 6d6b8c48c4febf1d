#include <algorithm>
#include <cmath>

#include "analysis/theta/minimise.hpp"
#include "train/adam.hpp"

namespace greybox {
namespace {

constexpr AdamOptions kAdam{.weight_decay = 0, .clip_value = 1, .clip_norm = 10};
// The last part of the steps, and the part of the way that the rates allow there: who moves on so steadily
// has not arrived.
constexpr double kLastPart = 0.1, kSteady = 0.3;

// What adam moves, and θ.
class Moved {
 public:
  Moved(const ThetaBox& box, const std::vector<double>& start)
      : box_(box), coordinates_(box.size()), theta_(start) {
    for (std::size_t p = 0; p < box.size(); ++p) coordinates_[p] = box.coordinate(p, start[p]);
  }

  AlignedBuffer<double>& coordinates() { return coordinates_; }
  const std::vector<double>& theta() const { return theta_; }
  void to_coordinates(std::span<double> gradient) const {
    for (std::size_t p = 0; p < theta_.size(); ++p)
      if (box_.is_log(p)) gradient[p] *= theta_[p];
  }
  void follow() {
    for (std::size_t p = 0; p < theta_.size(); ++p) theta_[p] = box_.theta(p, coordinates_[p]);
    box_.project(theta_);
    for (std::size_t p = 0; p < theta_.size(); ++p)
      if (!box_.is_log(p) || theta_[p] == box_.low()[p] || theta_[p] == box_.high()[p])
        coordinates_[p] = box_.coordinate(p, theta_[p]);
  }

 private:
  const ThetaBox& box_;
  AlignedBuffer<double> coordinates_;
  std::vector<double> theta_;
};

}  // namespace

template <class T>
PointEstimate minimise_with_adam(ThetaObjective<T>& objective, const ThetaBox& box, std::vector<double> start,
                                 const PointOptions& options, const OnStep& on_step) {
  const std::size_t n = box.size();
  AlignedBuffer<double> gradient(n), first_moments(n), second_moments(n);
  Moved moved(box, start);
  const AdamVectors<double> vectors{&moved.coordinates(), &gradient, &first_moments, &second_moments, 0};
  const double decay = options.rate_end / options.rate_start;
  PointEstimate found;
  std::vector<double> late;  // coordinates where the last part begins
  double reach = 0;          // sum of the rates since
  for (std::size_t step = 0; step < options.n_steps; ++step) {
    const double done = static_cast<double>(step) / static_cast<double>(options.n_steps);
    const double rate = options.rate_start * std::pow(decay, done);
    ++found.n_evaluations;
    if (!std::isfinite(objective.evaluate(moved.theta()).regularizer)) break;
    objective.gradient(gradient.span());
    moved.to_coordinates(gradient.span());
    if ((done >= 1 - kLastPart || step + 1 == options.n_steps) && late.empty())
      late.assign(moved.coordinates().data(), moved.coordinates().data() + n);
    if (!late.empty()) reach += rate;
    if (!adam_step(kAdam, rate, step, vectors)) break;
    moved.follow();
    on_step(step + 1);
  }
  for (std::size_t p = 0; p < late.size(); ++p)
    if (std::abs(moved.coordinates()[p] - late[p]) > kSteady * reach) found.unsettled.push_back(p);
  const auto value = objective.evaluate(moved.theta());
  found.theta = moved.theta();
  found.regularizer = value.regularizer;
  found.loss = value.loss;
  found.total = value.total;
  ++found.n_evaluations;
  return found;
}

template PointEstimate minimise_with_adam(ThetaObjective<float>&, const ThetaBox&, std::vector<double>,
                                          const PointOptions&, const OnStep&);
template PointEstimate minimise_with_adam(ThetaObjective<double>&, const ThetaBox&, std::vector<double>,
                                          const PointOptions&, const OnStep&);

}  // namespace greybox
