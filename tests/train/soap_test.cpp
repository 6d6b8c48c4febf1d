#include "train/soap.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace greybox {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ModelTensor tensor_of(std::vector<std::size_t> shape, std::size_t offset) {
  ModelTensor item;
  item.tensor.shape = std::move(shape);
  item.tensor.offset = offset;
  return item;
}

template <class T>
struct SoapVectors {
  SoapVectors(std::size_t n, std::size_t n_curvature)
      : parameters(n), gradient(n), first(n), second(n), curvature(n_curvature) {
    for (std::size_t i = 0; i < n; ++i)
      parameters[i] = static_cast<T>(std::cos(1.0 + static_cast<double>(i)));
  }
  UpdateVectors<T> view(std::size_t n_decayed) {
    return {&parameters, &gradient, &first, &second, n_decayed, &curvature};
  }

  AlignedBuffer<T> parameters, gradient, first, second, curvature;
};

double gradient_at(std::size_t update, std::size_t i) {
  return std::sin(0.7 * static_cast<double>(i) + 1.3 * static_cast<double>(update * update));
}

// Of one matrix, as the paper writes it, with whole matrices.
struct ReferenceSoap {
  explicit ReferenceSoap(Eigen::Index rows, Eigen::Index columns)
      : left(Dense::Zero(rows, rows)),
        right(Dense::Zero(columns, columns)),
        left_basis(Dense::Identity(rows, rows)),
        right_basis(Dense::Identity(columns, columns)),
        first(Dense::Zero(rows, columns)),
        second(Dense::Zero(rows, columns)) {}

  void step(double rate, double decay, int t, const Dense& gradient, Dense& weights) {
    left = 0.95 * left + 0.05 * gradient * gradient.transpose();
    right = 0.95 * right + 0.05 * gradient.transpose() * gradient;
    if ((t - 1) % 5 == 0) {
      left_basis = Eigen::HouseholderQR<Dense>(left * left_basis).householderQ();
      right_basis = Eigen::HouseholderQR<Dense>(right * right_basis).householderQ();
    }
    // The average of gradients needs no basis.
    first = 0.9 * first + 0.1 * gradient;
    const Dense turned = left_basis.transpose() * gradient * right_basis;
    second = 0.95 * second + 0.05 * turned.cwiseProduct(turned);
    const Dense moment = left_basis.transpose() * first * right_basis / (1 - std::pow(0.9, t));
    const Dense size = ((second / (1 - std::pow(0.95, t))).cwiseSqrt().array() + 1e-8).matrix();
    weights = (1 - rate * decay) * weights -
              rate * left_basis * moment.cwiseQuotient(size) * right_basis.transpose();
  }

  Dense left, right, left_basis, right_basis, first, second;
};

TEST(Soap, AgreesWithThePapersFormulas) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 5}, {17, 9}, {33, 64}}) {
    const std::size_t n = rows * columns, line = kAlignment / sizeof(double), offset = line;
    Soap<double> soap({.weight_decay = 0.1}, std::vector{tensor_of({rows, columns}, offset)});
    SoapVectors<double> vectors(offset + n, soap.n_curvature());
    const auto n_rows = static_cast<Eigen::Index>(rows), n_columns = static_cast<Eigen::Index>(columns);
    ReferenceSoap reference(n_rows, n_columns);
    Dense expected = Eigen::Map<Dense>(vectors.parameters.data() + offset, n_rows, n_columns);
    for (std::size_t t = 1; t <= 12; ++t) {
      for (std::size_t i = 0; i < offset + n; ++i) vectors.gradient[i] = 0.01 * gradient_at(t, i);
      const Dense gradient = Eigen::Map<Dense>(vectors.gradient.data() + offset, n_rows, n_columns);
      ASSERT_TRUE(soap.update(0.05, t - 1, vectors.view(padded<double>(offset + n))));
      reference.step(0.05, 0.1, static_cast<int>(t), gradient, expected);
      const Dense actual = Eigen::Map<Dense>(vectors.parameters.data() + offset, n_rows, n_columns);
      ASSERT_LT((actual - expected).norm(), 1e-6 * expected.norm()) << rows << " x " << columns << ", " << t;
    }
  }
}

TEST(Soap, MovesWhatIsNoMatrixByAdam) {
  Soap<double> soap({.weight_decay = 0}, std::vector{tensor_of({4}, 0)});
  EXPECT_EQ(soap.n_curvature(), 0U);
  SoapVectors<double> vectors(4, 0);
  const double before = vectors.parameters[2];
  vectors.gradient.fill(-3);
  ASSERT_TRUE(soap.update(0.01, 0, vectors.view(0)));
  EXPECT_NEAR(vectors.parameters[2], before + 0.01, 1e-9);
}

// Units that nothing reaches have no gradient, and no direction to turn to.
TEST(Soap, StaysFiniteWithoutGradients) {
  Soap<float> soap({.weight_decay = 0}, std::vector{tensor_of({40, 3}, 0)});
  SoapVectors<float> vectors(120, soap.n_curvature());
  for (std::size_t t = 0; t < 11; ++t) {
    vectors.gradient.fill(0);
    if (t > 5) vectors.gradient[7] = 1;
    ASSERT_TRUE(soap.update(0.01, t, vectors.view(0)));
  }
  for (std::size_t i = 0; i < 120; ++i) ASSERT_TRUE(std::isfinite(vectors.parameters[i])) << i;
  EXPECT_LT(vectors.parameters[7], std::cos(8.0F) - 0.02F);
}

TEST(Soap, LeavesLongSidesAsTheyAre) {
  const Soap<float> soap({}, std::vector{tensor_of({4, 1000}, 0)});
  EXPECT_EQ(soap.n_curvature(), 2U * 4 * 4);
}

TEST(Soap, ChangesNothingWhenTheGradientIsNotFinite) {
  Soap<float> soap({}, std::vector{tensor_of({2, 3}, 0)});
  SoapVectors<float> vectors(6, soap.n_curvature());
  vectors.gradient.fill(1);
  ASSERT_TRUE(soap.update(0.01, 0, vectors.view(0)));
  const std::vector<float> parameters(vectors.parameters.data(), vectors.parameters.data() + 6);
  const std::vector<float> curvature(vectors.curvature.data(),
                                     vectors.curvature.data() + vectors.curvature.size());
  vectors.gradient[4] = std::nanf("");
  EXPECT_FALSE(soap.update(0.01, 1, vectors.view(0)));
  EXPECT_EQ(parameters, std::vector<float>(vectors.parameters.data(), vectors.parameters.data() + 6));
  EXPECT_EQ(curvature, std::vector<float>(vectors.curvature.data(),
                                          vectors.curvature.data() + vectors.curvature.size()));
}

}  // namespace
}  // namespace greybox
