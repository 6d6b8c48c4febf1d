// The beta distribution.
#pragma once

namespace greybox {

double beta_log_density(double alpha, double beta, double x);
double beta_cdf(double alpha, double beta, double x);
// The inverse of the cdf at u in (0, 1).
double beta_quantile(double alpha, double beta, double u);

}  // namespace greybox
