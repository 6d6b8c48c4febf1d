// Systems of a few linear equations, factorised in place with partial pivoting.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

namespace greybox {

// A matrix of n × n numbers, row after row, and n indices of pivots; the caller's memory.
struct SmallLu {
  std::size_t n;
  double* matrix;
  std::size_t* pivots;

  // Replaces the matrix by its factors. A singular one gives solutions that are not finite.
  void factorise() const {
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t r = k + 1; r < n; ++r)
        if (std::abs(at(r, k)) > std::abs(at(best, k))) best = r;
      pivots[k] = best;
      if (best != k)
        for (std::size_t c = 0; c < n; ++c) std::swap(at(k, c), at(best, c));
      for (std::size_t r = k + 1; r < n; ++r) {
        at(r, k) /= at(k, k);
        for (std::size_t c = k + 1; c < n; ++c) at(r, c) -= at(r, k) * at(k, c);
      }
    }
  }

  void solve(double* x) const {
    for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < r; ++c) x[r] -= at(r, c) * x[c];
    for (std::size_t r = n; r-- > 0;) {
      for (std::size_t c = r + 1; c < n; ++c) x[r] -= at(r, c) * x[c];
      x[r] /= at(r, r);
    }
  }

  void solve_transposed(double* x) const {
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < r; ++c) x[r] -= at(c, r) * x[c];
      x[r] /= at(r, r);
    }
    for (std::size_t r = n; r-- > 0;)
      for (std::size_t c = r + 1; c < n; ++c) x[r] -= at(c, r) * x[c];
    for (std::size_t k = n; k-- > 0;) std::swap(x[k], x[pivots[k]]);
  }

 private:
  double& at(std::size_t r, std::size_t c) const { return matrix[r * n + c]; }
};

}  // namespace greybox
