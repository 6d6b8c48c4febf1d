// The one matrix kernel behind every layer: fully connected and convolutional, forward, backward and weight
// gradients.
#pragma once

#include <cstddef>

namespace greybox {

// What happens to a result before it is stored.
enum class Epilogue {
  none,
  leaky,       // x > 0 ? x : slope·x   (slope 0 is ReLU)
  leaky_mask,  // times 1 where the mask is > 0, else times slope: the adjoint of `leaky`, given its result
};

// For r < rows and columns j in panels of `panel_width` columns (j = p·panel_width + v):
//   C[r][p][v] = epilogue( init[r][p][v] + Σ_{o < n_outer} Σ_{k < n_inner} A[r·a_row + o·a_outer + k·a_inner]
//                                                                   · B[p·b_panel + o·b_outer + k·b_inner +
//                                                                   v] )
// C[r][p][v] lies at c + r·c_row + p·c_panel + v; init likewise (null for zero; init_row 0 repeats one row,
// as a bias; init = c accumulates); mask as C. All columns of the last panel are computed, so B, C, init and
// mask have room for them. A convolution over NHWC images is a product whose outer index runs over kernel
// rows and whose inner index runs over the contiguous (kernel column, channel) values; a weight gradient is
// one whose inner index runs over samples or pixels.
template <class T>
struct Product {
  std::size_t rows = 0, columns = 0;
  std::size_t n_outer = 1, n_inner = 0;
  const T* a = nullptr;
  std::ptrdiff_t a_row = 0, a_outer = 0, a_inner = 1;
  const T* b = nullptr;
  std::ptrdiff_t b_panel = 0, b_outer = 0, b_inner = 0;
  const T* init = nullptr;
  std::ptrdiff_t init_row = 0, init_panel = 0;
  T* c = nullptr;
  std::ptrdiff_t c_row = 0, c_panel = 0;
  Epilogue epilogue = Epilogue::none;
  T slope = 0;
  const T* mask = nullptr;
  std::ptrdiff_t mask_row = 0, mask_panel = 0;
};

// Columns per panel on this CPU for a matrix of `columns` columns: one or two vectors wide.
template <class T>
std::size_t panel_width(std::size_t columns);

template <class T>
void multiply(const Product<T>& product);

// Many small products of one kind, `count` of them, without epilogue: the operands of the next product lie
// `a`, `b`, `init` and `c` further on. Where C has one panel it may lie in A's place, row by row.
struct ProductSteps {
  std::size_t count = 0;
  std::ptrdiff_t a = 0, b = 0, init = 0, c = 0;
};

template <class T>
void multiply_many(const Product<T>& first, const ProductSteps& steps);

// The same for the rows of a convolution: each product begins one outer index of A after the one before
// (steps.a is a_outer), and all share B and one row of init (steps.b, steps.init and init_row are 0); a_inner
// is 1.
template <class T>
void multiply_overlapping(const Product<T>& first, const ProductSteps& steps);

// The same where all products share A (steps.a is not read), of which a_row is 1.
template <class T>
void multiply_shared(const Product<T>& first, const ProductSteps& steps);

// The same for few columns (below about a quarter of a vector), where panels would waste lanes: vectors run
// along the inner index instead, so a_inner must be 1 and B is transposed (a vector may be read past the end
// of A and B):
//   C[r·c_row + j] = epilogue-free  init[r·init_row + j] + Σ_o Σ_k A[r·a_row + o·a_outer + k] · B[j·b_column
//   + o·b_outer + k]
template <class T>
struct NarrowProduct {
  std::size_t rows = 0, columns = 0;
  std::size_t n_outer = 1, n_inner = 0;
  const T* a = nullptr;
  std::ptrdiff_t a_row = 0, a_outer = 0;
  const T* b = nullptr;
  std::ptrdiff_t b_column = 0, b_outer = 0;
  const T* init = nullptr;
  std::ptrdiff_t init_row = 0;
  T* c = nullptr;
  std::ptrdiff_t c_row = 0;
};

// Many products of one kind: the operands of the next lie steps.a and steps.c further on.
template <class T>
void multiply_narrow(const NarrowProduct<T>& first, const ProductSteps& steps);

// sum[j] += Σ_{r < rows} x[r·row + j] for j < columns, in the order of r: the gradient of a bias.
template <class T>
void add_rows(std::size_t rows, std::size_t columns, const T* x, std::ptrdiff_t row, T* sum);

extern template std::size_t panel_width<float>(std::size_t);
extern template std::size_t panel_width<double>(std::size_t);
extern template void multiply<float>(const Product<float>&);
extern template void multiply<double>(const Product<double>&);
extern template void multiply_many<float>(const Product<float>&, const ProductSteps&);
extern template void multiply_many<double>(const Product<double>&, const ProductSteps&);
extern template void multiply_overlapping<float>(const Product<float>&, const ProductSteps&);
extern template void multiply_overlapping<double>(const Product<double>&, const ProductSteps&);
extern template void multiply_shared<float>(const Product<float>&, const ProductSteps&);
extern template void multiply_shared<double>(const Product<double>&, const ProductSteps&);
extern template void multiply_narrow<float>(const NarrowProduct<float>&, const ProductSteps&);
extern template void multiply_narrow<double>(const NarrowProduct<double>&, const ProductSteps&);
extern template void add_rows<float>(std::size_t, std::size_t, const float*, std::ptrdiff_t, float*);
extern template void add_rows<double>(std::size_t, std::size_t, const double*, std::ptrdiff_t, double*);

}  // namespace greybox
