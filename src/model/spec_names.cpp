// Checks that every name is one, means one thing only, and hides nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "language/lexer_characters.hpp"
#include "language/operation.hpp"
#include "model/spec_reader.hpp"

namespace greybox {

namespace {

constexpr std::array<std::string_view, 10> reserved_words = {"theory", "network", "t",       "t0",    "pi",
                                                             "window", "mean",    "at_data", "norm2", "dot"};

class NameCheck {
 public:
  NameCheck(const GridSpec& grid, FileMistakes& mistakes) : grid_(grid), mistakes_(mistakes) {}

  // A name used from other equations as it is. `what` is as in "a state".
  void declare(const std::string& name, const SourceSpan& span, std::string_view what) {
    if (!check_identifier(name, span) || !check_free(name, span)) return;
    const auto [other, is_new] = declared_.try_emplace(name, Declared{what, span});
    if (is_new) return;
    mistakes_.add(span, fmt::format("`{}` is {} and also {}", name, what, other->second.what),
                  fmt::format("rename one of them (the other stands in line {})", other->second.span.line));
  }

  bool check_identifier(const std::string& name, const SourceSpan& span) {
    if (is_identifier(name)) return true;
    mistakes_.add(span, fmt::format("`{}` cannot be used as a name", name),
                  "names start with a letter; letters, digits and _ may follow");
    return false;
  }

  bool check_free(const std::string& name, const SourceSpan& span) {
    if (grid_.coordinate(name)) {
      mistakes_.add(span, fmt::format("`{}` is a coordinate of the [grid]", name), "choose another name");
      return false;
    }
    const bool is_function = find_function(name).has_value();
    if (!is_function && std::ranges::find(reserved_words, name) == reserved_words.end()) return true;
    mistakes_.add(
        span, fmt::format("the name `{}` already has a meaning in equations", name),
        is_function ? "it is a function: choose another name"
                    : "choose another name: theory, network, t, t0, pi, window, mean, norm2, dot are taken");
    return false;
  }

 private:
  struct Declared {
    std::string_view what;
    SourceSpan span;
  };
  const GridSpec& grid_;
  FileMistakes& mistakes_;
  std::unordered_map<std::string, Declared> declared_;
};

}  // namespace

void check_names(const ModelSpec& spec, FileMistakes& mistakes) {
  NameCheck check(spec.grid, mistakes);
  const auto declare_all = [&](const std::vector<Equation>& equations, std::string_view what) {
    for (const Equation& equation : equations) check.declare(equation.name, equation.name_span, what);
  };
  for (const ParameterSpec& parameter : spec.parameters)
    check.declare(parameter.name, parameter.span, "a parameter");
  declare_all(spec.inputs, "an input");
  declare_all(spec.definitions, "a definition");
  declare_all(spec.state, "a state");
  for (const LatentSpec& latent : spec.latents) check.declare(latent.name, latent.span, "a latent");
  for (const NetworkSpec& network : spec.networks) check.declare(network.name, network.span, "a network");
  declare_all(spec.regularizers, "a regularizer");

  for (const Equation& column : spec.data.columns)
    if (check.check_identifier(column.name, column.name_span))
      check.check_free(column.name, column.name_span);
  if (spec.is_algebraic())  // with a state, these must be states anyway
    for (const Equation& equation : spec.theory) check.check_identifier(equation.name, equation.name_span);
}

}  // namespace greybox
