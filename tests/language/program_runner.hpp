// What the tests of programs share: a program with memory for its inputs, and a fixture that runs on every
// SIMD target.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "hwy/targets.h"
#include "language/program.hpp"

namespace greybox::test {

// A program with inputs of its own over a fixed number of samples. The padding of the inputs is NaN: nothing
// may come from it.
template <class T>
class Runner {
 public:
  Runner(const Program& program, std::size_t n_samples)
      : program_(program), n_samples_(n_samples), frame_(program, n_samples) {
    for (std::size_t i = 0; i < program.n_inputs(); ++i) {
      const std::size_t n = length(static_cast<RegisterId>(i));
      for (auto* arrays : {&values_, &gradients_, &tangents_}) {
        arrays->emplace_back(padded<T>(n));
        std::fill(arrays->back().data() + n, arrays->back().data() + padded<T>(n),
                  std::numeric_limits<T>::quiet_NaN());
      }
      frame_.bind(i, values_[i].data(), gradients_[i].data(), tangents_[i].data());
    }
  }

  std::span<T> input(std::size_t i) { return values_[i].span().first(length(static_cast<RegisterId>(i))); }
  std::span<T> input_gradient(std::size_t i) { return gradients_[i].span().first(input(i).size()); }
  std::span<T> input_tangent(std::size_t i) { return tangents_[i].span().first(input(i).size()); }
  std::span<T> output(std::size_t i = 0) { return of(frame_.value(program_.output(i)), i); }
  std::span<T> output_gradient(std::size_t i = 0) { return of(frame_.gradient(program_.output(i)), i); }
  std::span<T> output_tangent(std::size_t i = 0) { return of(frame_.tangent(program_.output(i)), i); }
  Frame<T>& frame() { return frame_; }

  void forward() {
    for (std::size_t s = 0; s < program_.n_sections(); ++s) frame_.forward(s, n_samples_);
  }
  // Gradients of Σ seed · output 0; `seed` is as long as the output.
  void reverse(std::span<const T> seed) {
    for (auto& gradient : gradients_) gradient.fill(0);
    frame_.clear_gradients();
    for (std::size_t k = 0; k < seed.size(); ++k) output_gradient()[k] += seed[k];
    for (std::size_t s = program_.n_sections(); s-- > 0;) frame_.reverse(s, n_samples_);
  }
  void tangent() {
    for (std::size_t s = 0; s < program_.n_sections(); ++s) frame_.tangent_forward(s, n_samples_);
  }

 private:
  std::size_t length(RegisterId r) const {
    return n_samples_ * (program_.shape(r) == Shape::field ? program_.grid().points() : 1);
  }
  std::span<T> of(T* data, std::size_t i) { return {data, length(program_.output(i))}; }

  const Program& program_;
  std::size_t n_samples_;
  Frame<T> frame_;
  std::vector<AlignedBuffer<T>> values_, gradients_, tangents_;
};

// A program that is one operation on inputs of the given shape.
inline Program single_operation(Operation operation, Shape shape = Shape::scalar, const Grid& grid = {}) {
  Graph graph;
  std::vector<NodeId> inputs;
  for (int i = 0; i < info(operation).arity; ++i) {
    inputs.push_back(graph.leaf({.id = static_cast<std::uint32_t>(i), .shape = shape}));
  }
  const NodeId output = graph.apply(operation, inputs);
  return Program(graph, inputs, std::span(&output, 1), grid);
}

template <class T>
void fill_random(std::span<T> values, double low, double high, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  for (T& value : values) value = static_cast<T>(uniform(generator));
}

template <class T>
double dot(std::span<T> a, std::span<T> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// Each test runs once per SIMD target that this machine has.
class OnEveryTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { choose(GetParam()); }
  void TearDown() override { choose(0); }

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

inline std::string target_name(const testing::TestParamInfo<std::int64_t>& target) {
  return hwy::TargetName(target.param);
}

}  // namespace greybox::test
