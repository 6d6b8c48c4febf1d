// The standard normal distribution.
#pragma once

namespace greybox {

double normal_density(double x);
double normal_cdf(double x);
// The x with normal_cdf(x) = p, to the last digits; infinite at 0 and 1.
double normal_quantile(double p);
// The same in logarithms, for tails that are smaller than any number.
double log_normal_cdf(double x);
double normal_quantile_of_log(double log_p);
// log(Φ(high) - Φ(low)), from the tail that keeps its digits.
double log_normal_mass(double low, double high);

}  // namespace greybox
