#include "train/soap.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "train/adam_kernels.hpp"

namespace greybox {
namespace {

// A longer side stays as it is: its basis would cost more than the training step.
constexpr std::size_t kLongestSide = 512;
// Of the averages over updates: of gradients' products, and of squares in the basis, which grow old as it
// turns.
constexpr double kKeepCurvature = 0.95, kKeepSquares = 0.95;
constexpr std::uint64_t kTurnEvery = 5;

}  // namespace

template <class T>
Soap<T>::Soap(const AdamOptions& options, std::span<const ModelTensor> tensors) : options_(options) {
  for (const ModelTensor& item : tensors) {
    const std::vector<std::size_t>& shape = item.tensor.shape;
    if (shape.size() < 2) continue;
    const std::size_t rows = shape[0], columns = item.tensor.size() / rows;
    matrices_.push_back({item.tensor.offset, rows, columns, make_side(rows), make_side(columns)});
    for (const Side& side : {matrices_.back().left, matrices_.back().right})
      vectors_.ensure(side.size * side.size);
  }
}

template <class T>
auto Soap<T>::make_side(std::size_t size) -> Side {
  if (size < 2 || size > kLongestSide) return {};
  const Side side{size, n_curvature_};
  n_curvature_ += 2 * size * size;
  return side;
}

template <class T>
void Soap<T>::begin(AlignedBuffer<T>& curvature) const {
  curvature.fill(0);
  for (const Matrix& matrix : matrices_)
    for (const Side& side : {matrix.left, matrix.right})
      for (std::size_t i = 0; i < side.size; ++i) curvature[side.basis() + i * (side.size + 1)] = 1;
}

template <class T>
void Soap<T>::learn(const Matrix& matrix, const T* gradient, T* curvature) {
  const Strided<T> g = by_rows(gradient, matrix.rows, matrix.columns);
  const T keep = static_cast<T>(kKeepCurvature), rest = static_cast<T>(1 - kKeepCurvature);
  if (matrix.left.size > 0) {
    operand_.pack(transposed(g));
    result_.multiply(g, operand_);
    result_.unpack(keep, rest, curvature + matrix.left.at);
  }
  if (matrix.right.size > 0) {
    operand_.pack(g);
    result_.multiply(transposed(g), operand_);
    result_.unpack(keep, rest, curvature + matrix.right.at);
  }
}

template <class T>
void Soap<T>::turn(const Matrix& matrix, const T* curvature, T* values) {
  const auto& [offset, rows, columns, left, right] = matrix;
  if (right.size > 0) {
    operand_.pack(by_rows(curvature + right.basis(), columns, columns));
    result_.multiply(by_rows<T>(values, rows, columns), operand_);
    result_.unpack(0, 1, values);
  }
  if (left.size > 0) {
    operand_.pack(by_rows<T>(values, rows, columns));
    result_.multiply(transposed(by_rows(curvature + left.basis(), rows, rows)), operand_);
    result_.unpack(0, 1, values);
  }
}

template <class T>
void Soap<T>::turn_back(const Matrix& matrix, const T* curvature, T* values) {
  const auto& [offset, rows, columns, left, right] = matrix;
  if (right.size > 0) {
    operand_.pack(transposed(by_rows(curvature + right.basis(), columns, columns)));
    result_.multiply(by_rows<T>(values, rows, columns), operand_);
    result_.unpack(0, 1, values);
  }
  if (left.size > 0) {
    operand_.pack(by_rows<T>(values, rows, columns));
    result_.multiply(by_rows(curvature + left.basis(), rows, rows), operand_);
    result_.unpack(0, 1, values);
  }
}

// One step of orthogonal iteration.
template <class T>
void Soap<T>::turn_basis(const Side& side, T* curvature) {
  if (side.size == 0) return;
  const std::size_t n = side.size;
  operand_.pack(by_rows<T>(curvature + side.at, n, n));
  result_.multiply(transposed(by_rows<T>(curvature + side.basis(), n, n)), operand_);
  result_.unpack(0, 1, vectors_.data());
  orthonormalizer_.run(vectors_.data(), n);
  operand_.pack(transposed(by_rows<T>(vectors_.data(), n, n)));
  operand_.unpack(0, 1, curvature + side.basis());
}

template <class T>
void Soap<T>::turn_bases(const Matrix& matrix, T* curvature, T* moments) {
  turn_back(matrix, curvature, moments);
  turn_basis(matrix.left, curvature);
  turn_basis(matrix.right, curvature);
  turn(matrix, curvature, moments);
}

template <class T>
void Soap<T>::find_direction(double rate, std::uint64_t n_updates, T gradient_scale,
                             const UpdateVectors<T>& vectors) {
  const auto t = static_cast<double>(n_updates + 1);
  direction_.fill(0);
  update_parameters(
      {direction_.data(), vectors.gradient->data(), vectors.first_moments->data(),
       vectors.second_moments->data(), padded<T>(direction_.size())},
      AdamFactors<T>{.gradient_scale = gradient_scale,
                     .keep = 1,
                     .step = static_cast<T>(rate / (1 - std::pow(kBeta1, t))),
                     .second_root = static_cast<T>(1 / std::sqrt(1 - std::pow(kKeepSquares, t))),
                     .beta2 = kKeepSquares});
}

template <class T>
bool Soap<T>::update(double rate, std::uint64_t n_updates, const UpdateVectors<T>& vectors) {
  T *gradient = vectors.gradient->data(), *curvature = vectors.curvature->data();
  const std::optional<T> scale = clip(options_, *vectors.gradient);
  if (!scale) return false;
  direction_.ensure(vectors.parameters->size());
  if (n_updates == 0) begin(*vectors.curvature);
  for (const Matrix& matrix : matrices_) {
    learn(matrix, gradient + matrix.offset, curvature);
    if (n_updates % kTurnEvery == 0)
      turn_bases(matrix, curvature, vectors.first_moments->data() + matrix.offset);
    turn(matrix, curvature, gradient + matrix.offset);
  }
  find_direction(rate, n_updates, *scale, vectors);
  for (const Matrix& matrix : matrices_) turn_back(matrix, curvature, direction_.data() + matrix.offset);
  T* parameters = vectors.parameters->data();
  const T keep = static_cast<T>(1 - rate * options_.weight_decay);
  for (std::size_t i = 0; i < direction_.size(); ++i)
    parameters[i] = (i < vectors.n_decayed ? keep : T{1}) * parameters[i] + direction_[i];
  return true;
}

template class Soap<float>;
template class Soap<double>;

}  // namespace greybox
