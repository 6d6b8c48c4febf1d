// A plain convolutional network as reference, and a runner that drives the real one over blocks.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "nn/conv2d.hpp"
#include "nn/given_by.hpp"

namespace greybox::test {

inline constexpr Norm kNorms[] = {Norm::none, Norm::batch, Norm::instance};

template <class T>
using Fields = std::vector<std::vector<T>>;  // [component][sample · points + point]

template <class T>
std::vector<T> random_values(std::size_t n, unsigned seed, double centre = 0) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(centre - 1, centre + 1);
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(uniform(generator));
  return values;
}

template <class T>
Fields<T> random_fields(std::size_t n_components, std::size_t size, unsigned seed) {
  Fields<T> fields;
  for (std::size_t c = 0; c < n_components; ++c) {
    fields.push_back(random_values<T>(size, seed + static_cast<unsigned>(c)));
  }
  return fields;
}

template <class T>
std::vector<T> random_weights(const Network<T>& network, unsigned seed) {
  std::vector<T> weights = random_values<T>(network.n_weights(), seed);
  for (const WeightTensor& tensor : network.tensors()) {
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      // Norm weights have a bound of zero; other values than the initial ones say more.
      const double bound = tensor.bound > 0 ? tensor.bound : 0.5;
      T& weight = weights[tensor.offset + i];
      weight = static_cast<T>(tensor.centre + bound * static_cast<double>(weight));
    }
  }
  return weights;
}

inline double reference_activation(Activation activation, double x) {
  switch (activation) {
    case Activation::leaky_relu:
      return x > 0 ? x : 0.01 * x;
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::tanh:
      return std::tanh(x);
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::softplus:
      return std::log1p(std::exp(x));
    case Activation::gelu:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
  }
  return 0;
}

class ReferenceConv2d {
 public:
  ReferenceConv2d(const Conv2dOptions& options, std::span<const WeightTensor> tensors,
                  std::vector<double> weights)
      : options_(options), tensors_(tensors.begin(), tensors.end()), weights_(std::move(weights)) {}

  Fields<double> operator()(Fields<double> fields) const {
    const std::size_t n_hidden = options_.channels.size();
    for (std::size_t layer = 0; layer < n_hidden; ++layer) {
      fields = convolve(layer, options_.channels[layer], fields);
      normalise(layer, fields);
      for (auto& field : fields) {
        for (double& value : field) value = reference_activation(options_.activation, value);
      }
    }
    return convolve(n_hidden, options_.n_outputs, fields);
  }

 private:
  const double* tensor(const std::string& name) const {
    const auto found =
        std::find_if(tensors_.begin(), tensors_.end(), [&](const auto& t) { return t.name == name; });
    return found == tensors_.end() ? nullptr : weights_.data() + found->offset;
  }

  double pixel(const double* field, int y, int x) const {
    const int height = static_cast<int>(options_.height), width = static_cast<int>(options_.width);
    if (options_.padding == Padding::replicate) {
      y = std::min(std::max(y, 0), height - 1);
      x = std::min(std::max(x, 0), width - 1);
    } else if (options_.padding == Padding::periodic) {
      while (y < 0) y += height;
      while (x < 0) x += width;
      y %= height;
      x %= width;
    } else if (y < 0 || x < 0 || y >= height || x >= width) {
      return 0;
    }
    return field[y * width + x];
  }

  double convolve_at(const double* kernel, const double* field, int y, int x) const {
    const int size = static_cast<int>(options_.kernel), n_rows = options_.is_line ? 1 : size;
    double sum = 0;
    for (int dy = 0; dy < n_rows; ++dy) {
      for (int dx = 0; dx < size; ++dx)
        sum += *kernel++ * pixel(field, y + dy - n_rows / 2, x + dx - size / 2);
    }
    return sum;
  }

  Fields<double> convolve(std::size_t layer, std::size_t n_outputs, const Fields<double>& fields) const {
    const double* weight = tensor(std::to_string(layer) + ".weight");
    const double* bias = tensor(std::to_string(layer) + ".bias");
    const std::size_t points = options_.height * options_.width,
                      taps = options_.kernel * (options_.is_line ? 1 : options_.kernel);
    Fields<double> results(n_outputs, std::vector<double>(fields[0].size()));
    for (std::size_t out = 0; out < n_outputs; ++out) {
      for (std::size_t i = 0; i < fields[0].size(); ++i) {
        const std::size_t first = i / points * points;
        const int y = static_cast<int>(i % points / options_.width), x = static_cast<int>(i % options_.width);
        results[out][i] = bias[out];
        for (std::size_t in = 0; in < fields.size(); ++in) {
          results[out][i] +=
              convolve_at(weight + (out * fields.size() + in) * taps, fields[in].data() + first, y, x);
        }
      }
    }
    return results;
  }

  void normalise(std::size_t layer, Fields<double>& fields) const {
    if (options_.norm == Norm::none) return;
    const double* weight = tensor(std::to_string(layer) + ".norm.weight");
    const double* bias = tensor(std::to_string(layer) + ".norm.bias");
    const std::size_t points = options_.height * options_.width;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::size_t group = options_.norm == Norm::batch ? fields[c].size() : points;
      for (std::size_t first = 0; first < fields[c].size(); first += group) {
        standardise(group, fields[c].data() + first, weight ? weight[c] : 1, bias ? bias[c] : 0);
      }
    }
  }

  static void standardise(std::size_t n, double* values, double weight, double bias) {
    const double mean = std::accumulate(values, values + n, 0.0) / static_cast<double>(n);
    double variance = 0;
    for (std::size_t i = 0; i < n; ++i)
      variance += (values[i] - mean) * (values[i] - mean) / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = weight * (values[i] - mean) / std::sqrt(variance + 1e-5) + bias;
  }

  Conv2dOptions options_;
  std::vector<WeightTensor> tensors_;
  std::vector<double> weights_;
};

// A network with one tape per block; fields hold the samples of all blocks, in block order.
template <class T>
class BlockRunner {
 public:
  BlockRunner(const Conv2dOptions& options, std::vector<std::size_t> blocks, std::size_t n_slots = 1)
      : network_(make_conv2d<T>(options)),
        blocks_(std::move(blocks)),
        points_(options.height * options.width),
        given_(*network_, blocks_.size()) {
    // More room than samples: a block at the end of an epoch is smaller than its tape.
    for (std::size_t n : blocks_) {
      owned_.push_back(network_->make_tape(n + 1, n_slots));
      tapes_.push_back(owned_.back().get());
    }
    arguments_.resize(std::max(network_->n_inputs(), network_->n_outputs()));
    results_.resize(arguments_.size());
  }

  Network<T>& network() { return *network_; }
  std::size_t size() const {
    return points_ * std::accumulate(blocks_.begin(), blocks_.end(), std::size_t{0});
  }

  void forward(std::size_t slot, const Fields<T>& inputs, Fields<T>& outputs) {
    for (std::size_t phase = 0; phase < network_->n_phases(); ++phase) {
      std::size_t first = 0;
      for (std::size_t b = 0; b < blocks_.size(); first += blocks_[b++] * points_) {
        point(first, inputs, outputs);
        network_->forward(*tapes_[b], slot, phase, blocks_[b], arguments_.data(), results_.data());
      }
      if (phase + 1 < network_->n_phases()) network_->join_forward(tapes_, given_(tapes_), slot, phase);
    }
  }

  // Adds to grad_inputs; an empty component is not wanted.
  void backward(std::size_t slot, const Fields<T>& grad_outputs, Fields<T>& grad_inputs) {
    for (std::size_t phase = network_->n_phases(); phase-- > 0;) {
      std::size_t first = 0;
      for (std::size_t b = 0; b < blocks_.size(); first += blocks_[b++] * points_) {
        point(first, grad_outputs, grad_inputs);
        network_->backward(*tapes_[b], slot, phase, blocks_[b], arguments_.data(), results_.data());
      }
      if (phase > 0) network_->join_backward(tapes_, given_(tapes_), slot, phase);
    }
  }

  void clear_weight_gradient() {
    for (auto* tape : tapes_) network_->clear_weight_gradient(*tape);
  }
  void add_weight_gradient(std::vector<T>& gradient) const {
    for (const auto* tape : tapes_) network_->add_weight_gradient(*tape, gradient.data());
  }
  std::vector<T> weight_gradient() const {
    std::vector<T> gradient(network_->n_weights());
    add_weight_gradient(gradient);
    return gradient;
  }

 private:
  void point(std::size_t first, const Fields<T>& arguments, Fields<T>& results) {
    for (std::size_t c = 0; c < arguments.size(); ++c) arguments_[c] = arguments[c].data() + first;
    for (std::size_t c = 0; c < results.size(); ++c)
      results_[c] = results[c].empty() ? nullptr : results[c].data() + first;
  }

  std::unique_ptr<Network<T>> network_;
  std::vector<std::size_t> blocks_;
  std::size_t points_;
  std::vector<std::unique_ptr<typename Network<T>::Tape>> owned_;
  std::vector<typename Network<T>::Tape*> tapes_;
  GivenBy<T> given_;
  std::vector<const T*> arguments_;
  std::vector<T*> results_;
};

inline std::string describe(const Conv2dOptions& o) {
  std::ostringstream text;
  text << o.n_inputs;
  for (std::size_t c : o.channels) text << '-' << c;
  text << '-' << o.n_outputs << ", kernel " << o.kernel << ", padding " << static_cast<int>(o.padding)
       << ", norm " << static_cast<int>(o.norm) << ", activation " << static_cast<int>(o.activation) << ", "
       << o.height << " × " << o.width << (o.is_line ? ", a line" : "");
  return text.str();
}

}  // namespace greybox::test
