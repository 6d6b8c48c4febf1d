// Turns the equations of a model file into one graph. Internal to bind_model.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/expression_binder.hpp"

namespace greybox {

class Binder final : private ExpressionBinder {
 public:
  Binder(std::shared_ptr<const ModelSpec> spec, const std::vector<std::string>* data_columns);

  std::shared_ptr<const BoundModel> bind(const std::vector<ExtraRegularizer>& extra);

 private:
  // A mistake that has been reported; whatever depends on it is left alone.
  struct Reported {};
  enum class Progress : std::uint8_t { not_yet, under_way, done, failed };

  // An equation that is bound when first needed, so that tables may refer to each other in any order.
  struct Pending {
    const Equation* equation = nullptr;
    Progress progress = Progress::not_yet;
    Value value;
  };

  // bind_starts.cpp
  void bind_states();
  NodeId given_start(std::size_t state);
  NodeId learned_start(std::size_t state, const StartSpec& start);
  NodeId smoothed_start(std::size_t state);
  NodeId standard_start(std::size_t which);
  NodeId standard_parameter(std::size_t parameter);

  // binder.cpp
  void bind_dynamics();
  void bind_observed();
  void bind_estimator();
  void check_everything_used() const;
  NodeId default_correction(std::size_t state);
  NodeId no_correction(std::size_t state);
  NodeId as_shape(NodeId node, Shape shape, const Equation& equation);
  Value demand(Pending& pending, Context context, const std::string& what);
  NodeId theory_part(std::size_t state);
  NodeId network_part(std::size_t state);
  // Runs f and keeps what it reports, so that one mistake does not hide the others.
  template <class F>
  void guarded(F&& f) {
    try {
      f();
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) report(diagnostic);
    } catch (const Reported&) {
    }
  }
  void report(const Diagnostic& diagnostic);  // once, however many equations meet the same mistake

  // bind_name.cpp
  Value name(const Syntax& syntax, const Equation& equation, Context context) override;
  Value dotted_name(const Syntax& syntax, const Equation& equation, Context context);
  Value network_output(std::size_t network, const std::string& output, const Syntax& syntax,
                       const Equation& equation, Context context);
  std::optional<Value> plain_name(const std::string& name, const Syntax& syntax, const Equation& equation,
                                  Context context);
  NodeId leaf(LeafKind kind, std::size_t index, std::size_t position, Shape shape, Rate rate,
              std::size_t section = 0);
  std::size_t column(const std::string& name);
  bool is_column(const std::string& name) const;
  bool is_clock(const std::string& name) const;
  Shape column_shape(const std::string& name) const;
  Shape input_shape(const Equation& input) const;
  std::string advice_on(const std::string& name, Context context) const;
  [[noreturn]] void unknown_name(const Syntax& syntax, const Equation& equation, Context context) const;

  // bind_latents.cpp
  const BoundLatent& latent(std::size_t which);
  void bind_latent(std::size_t which);
  NodeId drawn(std::size_t which, NodeId mean, NodeId sd);
  std::optional<Value> latent_name(const std::string& name);
  Value latent_moment(std::size_t which, const std::string& moment, const Syntax& syntax,
                      const Equation& equation);
  Value divergence(const Syntax& syntax, const Equation& equation);

  // bind_solution.cpp
  std::optional<Value> call_of_model(const Syntax& syntax, const Equation& equation,
                                     Context context) override;
  Value solution(const Syntax& syntax, const Equation& equation, Context context);
  NodeId solved(NodeId node, std::size_t snapshot, const Syntax& syntax, const Equation& equation);
  Value at_snapshot(const Syntax& syntax, const Equation& equation, Context context);
  Value called_network(std::size_t network, const Syntax& syntax, const Equation& equation, Context context);
  // Through networks too.
  bool depends_on_solution(std::vector<NodeId> nodes) const;
  void check_solution_unused_by_dynamics() const;

  // bind_noise.cpp
  void bind_noise();
  NodeId spread_node(const Equation& equation, const Observed& observed);
  std::optional<Value> predicted_name(const std::string& name) const;

  // bind_network.cpp
  void bind_network(std::size_t network, const Syntax* used_at, const Equation* used_in, Context context);
  void network_inputs(std::size_t network, Context context);
  void window_inputs(std::size_t network);
  // The columns that are compared with, and any one of the data or of [inputs], at every observed snapshot.
  // For a network, or with null for an equation.
  std::vector<NodeId> window_values(const NetworkSpec* spec);
  std::vector<NodeId> window_values(const Syntax& syntax, const Equation& equation, const NetworkSpec* spec);
  std::vector<NodeId> snapshots_of(const std::vector<std::size_t>& columns, const NetworkSpec* spec);
  void network_outputs(std::size_t network);
  void add_output_leaves(std::size_t network);

  // bind_constraints.cpp
  void add_twin(std::size_t network);
  NodeId own_output(std::size_t network, std::size_t output);
  NodeId shaped_output(std::size_t network, std::size_t output);
  // As equations read it.
  NodeId constrained_output(std::size_t network, std::size_t output);

  // bind_scales.cpp
  const NetworkScales* scales_of(std::size_t network) const;
  void scale_inputs(std::size_t network);
  NodeId scaled(std::size_t network, std::size_t output, NodeId value);
  // Of the components of `theory` and `network` in norm2 and dot; empty: 1 each.
  std::vector<double> state_weights() const;
  // One number for every input and output.
  void check_scales(std::size_t network) const;

  // bind_regularizer.cpp
  void bind_regularizers(const std::vector<ExtraRegularizer>& extra);
  void bind_loss_weight();
  NodeId regularizer(const std::string& name);
  NodeId regularizer_expression(const Syntax& syntax, const Equation& equation);
  NodeId mean_of(NodeId node, MeanOver over, const Syntax& syntax, const Equation& equation);
  NodeId mean(const Syntax& syntax, const Equation& equation);
  void need_measured_states(NodeId node, const Syntax& syntax, const Equation& equation);
  NodeId measured_state(std::size_t state, const Syntax& syntax, const Equation& equation);
  bool has_reduction(const Syntax& syntax) const;
  bool is_error_name(const std::string& name) const;
  NodeId error_value(const std::string& name);

  Binder(std::shared_ptr<const ModelSpec> spec, const std::vector<std::string>* data_columns,
         std::shared_ptr<BoundModel> model);
  [[noreturn]] void fail(const Equation& equation, TextRange range, std::string message,
                         std::string help) const override;

  std::shared_ptr<const ModelSpec> spec_;
  const std::vector<std::string>* data_columns_;
  std::shared_ptr<BoundModel> model_;
  std::vector<Diagnostic> diagnostics_;

  std::map<std::string, Pending> definitions_, theory_, data_driven_, composition_, regularizers_;
  std::vector<Progress> network_progress_;
  std::vector<std::set<std::string>> used_outputs_;  // per network
  std::vector<std::optional<std::size_t>> twins_;    // per network
  std::vector<Progress> latent_progress_;
  // Node and snapshot → the same of the solution.
  std::map<std::pair<NodeId, std::size_t>, NodeId> solved_;
  // Node of the model's graph, and what the mean runs over → leaf of the regularizers' graph.
  std::map<std::pair<std::size_t, MeanOver>, NodeId> mean_leaves_;
  std::vector<Equation> extra_equations_;
  // Expressions of questions about a trained model: L is known to them.
  bool may_use_errors_ = false;
  std::pair<NodeId, NodeId> error_leaves_{};
  // The variable whose noise is being bound.
  const Observed* noisy_ = nullptr;
};

}  // namespace greybox
