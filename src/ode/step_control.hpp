// Step sizes of one sample under error control, after Hairer, Nørsett & Wanner, "Solving Ordinary
// Differential Equations I", sections II.4 (first step) and IV.2 of volume II (PI controller).
#pragma once

namespace greybox {

class StepControl {
 public:
  explicit StepControl(int order) : order_(order) {}

  bool has_step() const { return next_ > 0; }
  void set_first_step(double size) { next_ = size; }

  // The size to try with `remaining` time left; never beyond it.
  double propose(double remaining) const;
  // Judges a step of `size` by its scaled error (1 is just tolerable; NaN is not) and sets the next size.
  // True when the step is accepted.
  bool judge(double size, double error);

 private:
  int order_;
  double next_ = 0;
  double previous_error_ = 1e-4;
  bool was_rejected_ = false;
};

// A first step small enough for an explicit Euler step to be about right; arguments are scaled norms of state
// and derivative. Not a number when they are not.
double first_step_guess(double state, double derivative);
// The same improved by the scaled norm of the second derivative.
double first_step(double guess, double derivative, double second_derivative, int order);

}  // namespace greybox
