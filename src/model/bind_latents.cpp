// Latents: draws from the posterior that equations of the window give, or from the prior.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/binder.hpp"

namespace greybox {

const BoundLatent& Binder::latent(std::size_t which) {
  Progress& progress = latent_progress_[which];
  const LatentSpec& spec = spec_->latents[which];
  if (progress == Progress::failed) throw Reported{};
  if (progress == Progress::under_way)
    fail(*spec.mean, spec.mean->syntax->range, fmt::format("latent `{}` depends on itself", spec.name),
         "break the circle of definitions");
  if (progress == Progress::not_yet) {
    progress = Progress::under_way;
    try {
      bind_latent(which);
    } catch (...) {
      latent_progress_[which] = Progress::failed;
      throw;
    }
    latent_progress_[which] = Progress::done;
  }
  return model_->latents[which];
}

void Binder::bind_latent(std::size_t which) {
  const LatentSpec& spec = spec_->latents[which];
  BoundLatent bound{.spec = &spec};
  if (spec.mean) {
    const Value mean = expression(*spec.mean->syntax, *spec.mean, Context::model);
    const Value sd = expression(*spec.sd->syntax, *spec.sd, Context::model);
    if (mean.parts.size() != sd.parts.size())
      fail(*spec.sd, spec.sd->syntax->range,
           fmt::format("`mean` of latent `{}` has {} components, and `sd` {}", spec.name, mean.parts.size(),
                       sd.parts.size()),
           "give both the same number");
    const auto check = [&](const Value& moment, const Equation& equation) {
      for (NodeId part : moment.parts)
        if (graph()[part].shape == Shape::field || graph()[part].rate > Rate::sample)
          fail(equation, equation.syntax->range,
               "a latent is made of numbers of the window, not of fields, states or time",
               "use networks that read the window");
    };
    check(mean, *spec.mean);
    check(sd, *spec.sd);
    bound.mean = mean.parts;
    bound.sd = sd.parts;
    bound.is_vector = mean.is_vector;
    bound.first_draw = model_->draws.size();
    for (std::size_t c = 0; c < bound.mean.size(); ++c)
      bound.value.push_back(drawn(which, bound.mean[c], bound.sd[c]));
  } else {
    bound.first_draw = model_->draws.size();
    bound.is_vector = spec.is_vector;
    for (std::size_t c = 0; c < spec.size; ++c)
      bound.value.push_back(drawn(which, graph().constant(spec.prior_mean), graph().constant(spec.prior_sd)));
  }
  model_->latents[which] = std::move(bound);
}

// mean + sd ε: gradients go through both.
NodeId Binder::drawn(std::size_t which, NodeId mean, NodeId sd) {
  const LatentSpec& spec = spec_->latents[which];
  const bool is_uniform = spec.prior == PriorKind::uniform;
  const NodeId draw = leaf(LeafKind::draw, model_->draws.size(), 0, Shape::scalar, Rate::sample);
  model_->draws.push_back(spec.adapts ? Draw::adapted : is_uniform ? Draw::uniform : Draw::standard_normal);
  const auto shifted = [&](NodeId centre, NodeId width) {
    return graph().apply(Operation::add, {centre, graph().apply(Operation::multiply, {width, draw})});
  };
  if (is_uniform) return shifted(graph().constant(spec.low), graph().constant(spec.high - spec.low));
  if (spec.mean) {
    const NodeId generated = leaf(LeafKind::generated, 0, 0, Shape::scalar, Rate::sample);
    mean = graph().apply(Operation::where, {generated, graph().constant(spec.prior_mean), mean});
    sd = graph().apply(Operation::where, {generated, graph().constant(spec.prior_sd), sd});
  }
  NodeId value = shifted(mean, sd);
  if (std::isfinite(spec.low)) value = graph().apply(Operation::max, {value, graph().constant(spec.low)});
  if (std::isfinite(spec.high)) value = graph().apply(Operation::min, {value, graph().constant(spec.high)});
  return value;
}

std::optional<Value> Binder::latent_name(const std::string& name) {
  const auto found = std::ranges::find(spec_->latents, name, &LatentSpec::name);
  if (found == spec_->latents.end()) return std::nullopt;
  const BoundLatent& bound = latent(static_cast<std::size_t>(found - spec_->latents.begin()));
  return Value{bound.value, bound.is_vector};
}

Value Binder::latent_moment(std::size_t which, const std::string& moment, const Syntax& syntax,
                            const Equation& equation) {
  const LatentSpec& spec = spec_->latents[which];
  if ((moment == "mean" || moment == "sd") && spec.mean) {
    const BoundLatent& bound = latent(which);
    return {moment == "mean" ? bound.mean : bound.sd, bound.is_vector};
  }
  fail(equation, syntax.range, fmt::format("latent `{}` has no `{}`", spec.name, moment),
       spec.mean ? fmt::format("it has `{0}.mean` and `{0}.sd`; a component is `{0}[0]`", spec.name)
                 : "it has no posterior: give it `mean` and `sd`");
}

// Of the posterior from the prior, summed over components: log(s₀/s) + (s² + (m - m₀)²) / (2 s₀²) - ½.
Value Binder::divergence(const Syntax& syntax, const Equation& equation) {
  need_arguments(syntax, equation, 1);
  const Syntax& name = *syntax.children[0];
  const auto found = std::ranges::find(spec_->latents, name.text, &LatentSpec::name);
  if (name.kind != SyntaxKind::name || found == spec_->latents.end() || !found->mean)
    fail(equation, name.range, "`kl` is of a latent with a posterior",
         "name a latent that [latent] gives `mean` and `sd`");
  const BoundLatent& bound = latent(static_cast<std::size_t>(found - spec_->latents.begin()));
  Graph& g = graph();
  NodeId sum = g.constant(0);
  for (std::size_t c = 0; c < bound.mean.size(); ++c) {
    const NodeId distance = g.apply(Operation::subtract, {bound.mean[c], g.constant(found->prior_mean)});
    const NodeId squares = g.apply(Operation::add, {g.apply(Operation::multiply, {bound.sd[c], bound.sd[c]}),
                                                    g.apply(Operation::multiply, {distance, distance})});
    const double variance = found->prior_sd * found->prior_sd;
    const NodeId spread = g.apply(Operation::multiply, {g.constant(0.5 / variance), squares});
    const NodeId entropy = g.apply(Operation::log, {bound.sd[c]});
    sum = g.apply(Operation::add, {sum, g.apply(Operation::subtract, {spread, entropy})});
  }
  const double constant = static_cast<double>(bound.mean.size()) * (std::log(found->prior_sd) - 0.5);
  return {{g.apply(Operation::add, {sum, g.constant(constant)})}};
}

}  // namespace greybox
