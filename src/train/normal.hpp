// The standard normal distribution.
#pragma once

namespace greybox {

double normal_density(double x);
double normal_cdf(double x);
// The x with normal_cdf(x) = p, to the last digits; infinite at 0 and 1.
double normal_quantile(double p);

}  // namespace greybox
