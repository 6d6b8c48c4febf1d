#include "analysis/theta/spread.hpp"

#include <Eigen/SVD>

namespace greybox {
namespace {

auto as_vector(const Coordinates& point) {
  return Eigen::Map<const Eigen::VectorXd>(point.data(), static_cast<Eigen::Index>(point.size()));
}

Eigen::MatrixXd covariance(const std::vector<Coordinates>& points) {
  const Coordinates centre = centre_of(points);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(as_vector(centre).size(), as_vector(centre).size());
  for (const Coordinates& point : points) {
    const Eigen::VectorXd away = as_vector(point) - as_vector(centre);
    sum += away * away.transpose();
  }
  return sum / static_cast<double>(points.size());
}

// Of a covariance: directions are the columns of U, variances the singular values, largest first. Plain
// Jacobi rotations are exact for the small matrices here, and compile in a fraction of the time of others.
using Axes = Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>;

Axes axes_of(const Eigen::MatrixXd& covariance) {
  return Axes(covariance, Eigen::ComputeFullU);
}

Eigen::VectorXd inverse_root(const Eigen::VectorXd& variances) {
  return variances.cwiseSqrt().cwiseInverse();
}

}  // namespace

Coordinates centre_of(const std::vector<Coordinates>& points) {
  Coordinates centre(points.front().size());
  for (const Coordinates& point : points)
    for (std::size_t k = 0; k < centre.size(); ++k) centre[k] += point[k];
  for (double& sum : centre) sum /= static_cast<double>(points.size());
  return centre;
}

std::vector<Coordinates> principal_directions(const std::vector<Coordinates>& points) {
  const Axes axes = axes_of(covariance(points));
  std::vector<Coordinates> directions;
  for (Eigen::VectorXd direction : axes.matrixU().colwise()) {
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction *= -1;
    directions.emplace_back(direction.begin(), direction.end());
  }
  return directions;
}

Coordinates narrowest_form(const std::vector<Coordinates>& some, const std::vector<Coordinates>& all) {
  const Eigen::MatrixXd whole = covariance(all);
  // Coordinates may have very different units: first each, then each direction is brought to variance 1.
  const Eigen::VectorXd unit = inverse_root(whole.diagonal());
  const Axes axes = axes_of(unit.asDiagonal() * whole * unit.asDiagonal());
  const Eigen::MatrixXd scale =
      unit.asDiagonal() * axes.matrixU() * inverse_root(axes.singularValues()).asDiagonal();
  const Axes part = axes_of(scale.transpose().lazyProduct(covariance(some).lazyProduct(scale)));
  const Eigen::VectorXd form = scale * part.matrixU().rightCols<1>();
  return {form.begin(), form.end()};
}

}  // namespace greybox
