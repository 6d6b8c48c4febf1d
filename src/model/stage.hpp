// A stage of a model: everything that is computed at one rate, as a program with calls of networks between
// its sections.
#pragma once

#include <optional>
#include <vector>

#include "language/program.hpp"
#include "model/bound_model.hpp"

namespace greybox {

struct NetworkCall {
  std::size_t network = 0;
  std::vector<RegisterId> inputs;
  std::vector<RegisterId> outputs;  // input registers of the program
};

// An input register that is a component of the state.
struct StateInput {
  RegisterId where = 0;
  std::size_t state = 0;
};

// One thing to do for a block. After an action that joins, all blocks of the batch must have come this far
// before any goes on: the network then combines what it needs of the whole batch.
struct Action {
  enum class Kind : std::uint8_t { section, network };
  Kind kind = Kind::section;
  std::size_t index = 0;  // section, or call
  std::size_t phase = 0;
  bool joins = false;
};

class Stage {
 public:
  // Computes `roots` with the given networks. Values of a lower rate than `rate` are inputs, made by another
  // stage.
  Stage(const BoundModel& model, Rate rate, const std::vector<NodeId>& roots,
        const std::vector<std::size_t>& networks);

  const Program& program() const { return program_; }
  const std::vector<NodeId>& inputs() const {
    return inputs_;
  }  // nodes, by input register; network outputs included
  const std::vector<StateInput>& states() const { return states_; }
  const std::vector<NetworkCall>& calls() const { return calls_; }
  const std::vector<Action>& actions() const { return actions_; }
  // Whether nothing that a block computes is needed after it has waited for the others.
  bool forgets_at_joins() const;
  RegisterId root(std::size_t i) const { return program_.output(i); }
  // Where a node that is an input or a root of this stage can be found.
  std::optional<RegisterId> find(NodeId node) const;

 private:
  struct Parts;
  explicit Stage(Parts parts);
  static Parts collect(const BoundModel& model, Rate rate, const std::vector<NodeId>& roots,
                       const std::vector<std::size_t>& networks);
  void add_calls(const BoundModel& model, const std::vector<std::size_t>& networks, std::size_t first_output);
  void add_actions(const BoundModel& model);
  void add_states(const BoundModel& model);

  std::vector<NodeId> inputs_, outputs_;
  Program program_;
  std::vector<StateInput> states_;
  std::vector<NetworkCall> calls_;
  std::vector<Action> actions_;
};

}  // namespace greybox
