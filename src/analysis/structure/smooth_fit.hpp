// How far functions are smooth functions of other quantities: kernel regression with leave-one-out residuals.
#pragma once

#include <Eigen/Core>

namespace greybox {

// Of every column of `targets`, what a smooth function of the rows of `inputs` leaves: each row predicted
// from all others. Rows are points. Kernel width and penalty are chosen by these residuals themselves.
Eigen::MatrixXd unexplained(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets);

}  // namespace greybox
