// SOAP (Vyas et al. 2024): Adam in slowly turning bases, the eigenvectors of averaged products of each weight
// matrix's gradients.
#pragma once

#include <span>
#include <vector>

#include "model/network_set.hpp"
#include "train/adam.hpp"
#include "train/orthonormal.hpp"
#include "train/panels.hpp"

namespace greybox {

template <class T>
class Soap final : public UpdateRule<T> {
 public:
  // The tensors of networks that learn; all other parameters move by Adam.
  Soap(const AdamOptions& options, std::span<const ModelTensor> tensors);

  // Of each side of each matrix that has a basis: the averaged product of its gradients, and the basis.
  std::size_t n_curvature() const override { return n_curvature_; }
  bool update(double rate, std::uint64_t n_updates, const UpdateVectors<T>& vectors) override;

 private:
  // Rows or columns of a matrix; where they stay as they are, `size` is 0.
  struct Side {
    std::size_t size = 0, at = 0;
    std::size_t basis() const { return at + size * size; }
  };
  struct Matrix {
    std::size_t offset, rows, columns;
    Side left, right;
  };

  Side make_side(std::size_t size);
  void begin(AlignedBuffer<T>& curvature) const;
  void learn(const Matrix& matrix, const T* gradient, T* curvature);
  // In place: values ← leftᵀ · values · right, or back.
  void turn(const Matrix& matrix, const T* curvature, T* values);
  void turn_back(const Matrix& matrix, const T* curvature, T* values);
  void turn_basis(const Side& side, T* curvature);
  // With the moments, which stand in them.
  void turn_bases(const Matrix& matrix, T* curvature, T* moments);
  // Adam's, of a gradient in the bases.
  void find_direction(double rate, std::uint64_t n_updates, T gradient_scale,
                      const UpdateVectors<T>& vectors);

  AdamOptions options_;
  std::vector<Matrix> matrices_;
  std::size_t n_curvature_ = 0;
  AlignedBuffer<T> direction_;
  Panels<T> operand_, result_;
  // Vectors of the basis that turns, one after the other.
  AlignedBuffer<T> vectors_;
  Orthonormalizer<T> orthonormalizer_;
};

extern template class Soap<float>;
extern template class Soap<double>;

}  // namespace greybox
