#include "model/point_block.hpp"

#include <algorithm>

namespace greybox {
namespace {

std::vector<AlignedBuffer<double>> state_arrays(const PointPlan& plan, std::size_t n_samples) {
  std::vector<AlignedBuffer<double>> arrays;
  for (const Evaluator::Variable& state : plan.states())
    arrays.emplace_back(padded<double>(n_samples * state.points()));
  return arrays;
}

}  // namespace

PointBlock::PointBlock(const PointPlan& plan, const NetworkSet<double>& networks, std::size_t n_samples)
    : plan_(&plan),
      networks_(&networks),
      n_samples_(n_samples),
      stride_(padded<double>(n_samples)),
      data_(plan.model(), n_samples, plan.n_times()),
      times_(stride_),
      grad_theta_(plan.parameters().size() * stride_),
      state_(state_arrays(plan, n_samples)),
      grad_state_(state_arrays(plan, n_samples)),
      tangent_state_(state_arrays(plan, n_samples)),
      sample_(plan.model(), plan.sample(), networks, n_samples, 1) {
  for (std::size_t j = 0; j < plan.inputs().size(); ++j)
    grad_inputs_.emplace_back(padded<double>(n_samples * plan.input_points(j)));
  bind_inputs(sample_);
  sample_.clear_weight_gradients(false);
  works_.reserve(PointPlan::kQuantities);
  for (std::size_t q = 0; q < PointPlan::kQuantities; ++q) {
    const Stage& stage = plan.quantity(static_cast<Quantity>(q));
    Work& made = works_.emplace_back(Work{{plan.model(), stage, networks, n_samples, 1}, {}});
    bind_inputs(made.stage);
    made.stage.clear_weight_gradients(false);
    if (n_samples > 1) continue;
    for (std::size_t c = 0; c < stage.calls().size(); ++c)
      made.tangents.emplace_back(plan.model(), made.stage, c);
  }
  if (plan.data() != nullptr) load_window();
}

void PointBlock::load_window() {
  const std::vector<std::size_t> windows(n_samples_, plan_->window());
  data_.load({.data = plan_->data(), .windows = windows, .theta = {}}, 0, n_samples_);
}

PointBlock::Place PointBlock::place_of(const LeafRef& leaf) {
  if (const auto state = plan_->state_of(leaf))
    return {state_[*state].data(), grad_state_[*state].data(), tangent_state_[*state].data()};
  switch (leaf.kind) {
    case LeafKind::parameter:
      return {data_.theta(leaf.index), grad_theta_.data() + leaf.index * stride_, nullptr};
    case LeafKind::snapshot:
      return {data_.column(leaf.index, leaf.position), nullptr, nullptr};
    case LeafKind::input:
      return {data_.input(leaf.index), grad_inputs_[leaf.index].data(), nullptr};
    case LeafKind::time:
      return {data_.time(), nullptr, nullptr};
    case LeafKind::start_time:
      return {data_.start_time(), nullptr, nullptr};
    case LeafKind::learned_start:
      return {data_.learned_start(leaf.index, leaf.position), nullptr, nullptr};
    case LeafKind::draw:
      return {data_.draw(leaf.index), nullptr, nullptr};
    case LeafKind::generated:
      return {data_.generated(), nullptr, nullptr};
    default:
      return {nullptr, nullptr, nullptr};
  }
}

void PointBlock::bind_inputs(StageBlock<double>& stage) {
  const std::vector<NodeId>& inputs = stage.stage().inputs();
  const auto is_own_output = [&](std::size_t i) {
    return std::ranges::any_of(stage.stage().calls(), [&](const NetworkCall& call) {
      return std::ranges::find(call.outputs, i) != call.outputs.end();
    });
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_own_output(i)) continue;
    const Node& node = plan_->model().graph[inputs[i]];
    const LeafRef* leaf = node.operation == Operation::leaf ? &plan_->model().leaves[node.leaf_id] : nullptr;
    if (leaf != nullptr && leaf->kind != LeafKind::network_output) {
      const Place place = place_of(*leaf);
      stage.frame().bind(i, place.value, place.gradient, place.tangent);
    } else {
      const RegisterId r = *plan_->sample().find(inputs[i]);
      stage.frame().bind(i, sample_.value(r), sample_.gradient(r));
    }
  }
}

void PointBlock::run_sample_stage() {
  if (plan_->data() != nullptr) data_.take_starts(*networks_);
  run_stage(sample_, n_samples_);
  for (Work& each : works_) each.stage.begin(n_samples_);
}

void PointBlock::set_theta(std::span<const double> theta) {
  for (std::size_t p = 0; p < theta.size(); ++p) std::fill_n(data_.theta(p), n_samples_, theta[p]);
  run_sample_stage();
}

void PointBlock::set_start_time(double t0) {
  std::fill_n(data_.start_time(), n_samples_, t0);
  run_sample_stage();
}

void PointBlock::set_inputs(std::span<const double> values) {
  const double* from = values.data();
  for (std::size_t j = 0; j < plan_->inputs().size(); ++j) {
    const std::size_t points = plan_->input_points(j);
    for (std::size_t i = 0; i < n_samples_; ++i) std::copy_n(from, points, data_.input(j) + i * points);
    from += points;
  }
}

void PointBlock::take_window_inputs(double t) {
  const std::size_t last = data_.n_times(0) - 1;
  const double clamped = std::clamp(t, data_.snapshot_times(0)[0], data_.snapshot_times(last)[0]);
  std::size_t interval = 0;
  while (interval + 1 < last && data_.snapshot_times(interval + 1)[0] <= clamped) ++interval;
  times_.fill(clamped);
  data_.move_to(interval, times_.data());
}

void PointBlock::copy_initial(std::span<double> out) {
  double* to = out.data();
  for (std::size_t s = 0; s < plan_->states().size(); ++s) {
    const double* from = plan_->model().is_algebraic() ? data_.column(plan_->column_of(s), 0)
                                                       : sample_.value(plan_->sample().root(s));
    to = std::copy_n(from, plan_->states()[s].points(), to);
  }
}

void PointBlock::forward(Quantity of, double t, std::span<const double> state) {
  std::fill_n(data_.time(), n_samples_, t);
  const double* from = state.data();
  for (std::size_t s = 0; s < state_.size(); ++s) {
    const std::size_t points = plan_->states()[s].points();
    for (std::size_t i = 0; i < n_samples_; ++i) std::copy_n(from, points, state_[s].data() + i * points);
    from += points;
  }
  run_stage(work(of).stage, n_samples_);
}

void PointBlock::copy_values(Quantity of, std::span<double> out) {
  double* to = out.data();
  for (std::size_t c = 0; c < plan_->components(of).size(); ++c)
    to =
        std::copy_n(work(of).stage.value(plan_->quantity(of).root(c)), plan_->components(of)[c].points(), to);
}

void PointBlock::clear_gradients(Quantity of) {
  grad_theta_.fill(0);
  for (AlignedBuffer<double>& gradient : grad_inputs_) gradient.fill(0);
  for (AlignedBuffer<double>& gradient : grad_state_) gradient.fill(0);
  sample_.clear_gradients();
  work(of).stage.clear_gradients();
  // Gradients of static inputs gather in the tape.
  work(of).stage.clear_weight_gradients(false);
}

void PointBlock::seed(Quantity of, std::size_t sample, std::span<const double> cotangent) {
  const double* from = cotangent.data();
  for (std::size_t c = 0; c < plan_->components(of).size(); ++c) {
    const std::size_t points = plan_->components(of)[c].points();
    double* gradient = work(of).stage.gradient(plan_->quantity(of).root(c)) + sample * points;
    for (std::size_t p = 0; p < points; ++p) gradient[p] += *from++;
  }
}

void PointBlock::seed_unit(Quantity of, std::size_t sample, std::size_t row) {
  std::size_t component = 0, point = row;
  while (point >= plan_->components(of)[component].points())
    point -= plan_->components(of)[component++].points();
  const std::size_t points = plan_->components(of)[component].points();
  work(of).stage.gradient(plan_->quantity(of).root(component))[sample * points + point] += 1;
}

void PointBlock::reverse(Quantity of) {
  reverse_stage(work(of).stage, n_samples_);
}

void PointBlock::reverse_sample_stage(Quantity of) {
  work(of).stage.flush(0, 1, n_samples_);
  work(of).stage.end(n_samples_);
  reverse_stage(sample_, n_samples_);
}

void PointBlock::copy_state_gradient(std::size_t sample, std::span<double> out) const {
  double* to = out.data();
  for (std::size_t s = 0; s < grad_state_.size(); ++s) {
    const std::size_t points = plan_->states()[s].points();
    to = std::copy_n(grad_state_[s].data() + sample * points, points, to);
  }
}

double PointBlock::state_gradient_along(std::size_t sample, std::span<const double> tangent) const {
  double sum = 0;
  const double* along = tangent.data();
  for (std::size_t s = 0; s < grad_state_.size(); ++s) {
    const std::size_t points = plan_->states()[s].points();
    const double* gradient = grad_state_[s].data() + sample * points;
    for (std::size_t p = 0; p < points; ++p) sum += gradient[p] * *along++;
  }
  return sum;
}

void PointBlock::copy_theta_gradient(std::span<double> out) const {
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = grad_theta_[p * stride_];
}

void PointBlock::copy_input_gradient(std::span<double> out) const {
  double* to = out.data();
  for (std::size_t j = 0; j < plan_->inputs().size() && !out.empty(); ++j)
    to = std::copy_n(grad_inputs_[j].data(), plan_->input_points(j), to);
}

void PointBlock::tangent(Quantity of, std::span<const double> tangent, std::span<double> out) {
  const double* from = tangent.data();
  for (std::size_t s = 0; s < tangent_state_.size(); ++s) {
    const std::size_t points = plan_->states()[s].points();
    std::copy_n(from, points, tangent_state_[s].data());
    from += points;
  }
  StageBlock<double>& stage = work(of).stage;
  for (const Action& action : stage.stage().actions()) {
    if (action.kind == Action::Kind::section)
      stage.frame().tangent_forward(action.index, 1);
    else if (!action.joins)
      work(of).tangents[action.index].run(stage);
  }
  double* to = out.data();
  for (std::size_t c = 0; c < plan_->components(of).size(); ++c)
    to = std::copy_n(stage.frame().tangent(plan_->quantity(of).root(c)), plan_->components(of)[c].points(),
                     to);
}

}  // namespace greybox
