// The logarithm of exp(-β R) from polynomials of the means behind R: for proposals of chains, which the model
// itself then accepts or rejects.
#pragma once

#include <optional>

#include "analysis/posterior/log_density.hpp"
#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/polynomial_fit.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "model/regularizers.hpp"

namespace greybox {

// Beyond the box that the polynomials were fitted over, values stay as they are at its nearest point. Copies
// may be asked side by side.
class SurrogateDensity {
 public:
  // -β R - the price of the misfit, and its gradient.
  double operator()(std::span<const double> theta, std::span<double> gradient);

  // Fitted to values at about `n_terms` × 2.5 θ over the prior, then closer and closer around where the
  // density is high, until draws of it are mostly accepted. None where that does not come to pass.
  static std::optional<SurrogateDensity> make(const PosteriorRequest& request);

 private:
  // Each copy works in memory of its own.
  struct OwnRegularizers {
    explicit OwnRegularizers(std::shared_ptr<const BoundModel> of) : model(std::move(of)), values(model, 1) {}
    OwnRegularizers(const OwnRegularizers& other) : OwnRegularizers(other.model) {}
    std::shared_ptr<const BoundModel> model;
    Regularizers values;
  };
  struct Box {
    std::vector<double> low, high;  // in coordinates of the priors
  };

  SurrogateDensity(const PosteriorRequest& request, Box box);
  bool fit(const PosteriorRequest& request, ThetaScan<double>& scan);
  double scatter(const PosteriorRequest& request, ThetaScan<double>& scan,
                 const std::vector<std::vector<double>>& draws);
  Box around(const std::vector<std::vector<double>>& draws) const;

  std::vector<ParameterSpec> parameters_;
  ThetaCoordinates coordinates_;
  OwnRegularizers regularizers_;
  std::size_t regularizer_, n_means_;
  double beta_, loss_limit_;
  Box box_;
  // Means, then log L where it counts.
  PolynomialFit polynomials_;
  std::vector<double> x_, values_, slopes_, grad_values_;
};

}  // namespace greybox
