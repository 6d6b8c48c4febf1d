#include "model/regularizers.hpp"

#include <algorithm>

namespace greybox {
namespace {

std::vector<NodeId> leaves_of(const BoundModel& model) {
  const std::size_t n_left_out = model.uses_errors ? 0 : kFirstTermLeaf;
  std::vector<NodeId> leaves(kFirstTermLeaf - n_left_out + model.terms.size());
  for (NodeId id = 0; id < model.regularizer_graph.size(); ++id)
    if (const Node& node = model.regularizer_graph[id]; node.operation == Operation::leaf)
      leaves[node.leaf_id - n_left_out] = id;
  return leaves;
}

Program compile(const BoundModel& model) {
  std::vector<NodeId> roots;
  for (const BoundRegularizer& regularizer : model.regularizers) roots.push_back(regularizer.value);
  // Behind all regularizers.
  if (model.loss_weight) roots.push_back(*model.loss_weight);
  return {model.regularizer_graph, leaves_of(model), roots, Grid{}};
}

}  // namespace

Regularizers::Regularizers(std::shared_ptr<const BoundModel> model, std::size_t capacity)
    : model_(std::move(model)), program_(compile(*model_)), frame_(program_, capacity) {
  for (std::size_t m = 0; m < n_error_leaves() + model_->terms.size(); ++m) {
    leaves_.emplace_back(padded<double>(capacity));
    grad_leaves_.emplace_back(padded<double>(capacity));
    frame_.bind(m, leaves_[m].data(), grad_leaves_[m].data());
  }
}

void Regularizers::evaluate(const double* means, std::size_t stride, std::size_t n,
                            const WindowErrors& errors) {
  n_ = n;
  if (model_->uses_errors) {
    for (std::size_t i = 0; i < n; ++i)
      leaves_[kLossLeaf][i] =
          errors.losses.empty() ? std::numeric_limits<double>::quiet_NaN() : errors.losses[i];
    std::fill_n(leaves_[kRangeLeaf].data(), n, errors.range);
  }
  for (std::size_t m = 0; m < model_->terms.size(); ++m)
    std::copy_n(means + m * stride, n, leaves_[n_error_leaves() + m].data());
  for (std::size_t section = 0; section < program_.n_sections(); ++section) frame_.forward(section, n);
}

std::span<const double> Regularizers::values(std::size_t regularizer) {
  return {frame_.value(program_.output(regularizer)), n_};
}

double Regularizers::loss_weight() {
  return model_->loss_weight ? *frame_.value(program_.output(model_->regularizers.size())) : 1;
}

void Regularizers::gradient(std::size_t regularizer, std::span<double> grad_means) {
  frame_.clear_gradients();
  for (AlignedBuffer<double>& gradient : grad_leaves_) gradient.fill(0);
  if (double* root = frame_.gradient(program_.output(regularizer)); root != nullptr) root[0] += 1;
  for (std::size_t section = program_.n_sections(); section > 0; --section) frame_.reverse(section - 1, 1);
  for (std::size_t m = 0; m < model_->terms.size(); ++m)
    grad_means[m] = grad_leaves_[n_error_leaves() + m][0];
}

}  // namespace greybox
