// Reads what [network.NAME] says of the network's outputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {
namespace {

using Inputs = std::vector<std::size_t>;

bool is_part_of(const Inputs& some, const Inputs& all) {
  return std::ranges::all_of(some,
                             [&](std::size_t input) { return std::ranges::find(all, input) != all.end(); });
}

class ConstraintReader {
 public:
  ConstraintReader(Section& section, const NetworkSpec& network) : section_(section), network_(network) {}

  NetworkConstraints read() {
    read_.is_positive = section_.flag("positive");
    read_.sums_to_zero = section_.flag("sums_to_zero");
    read_bounds();
    read_.zero_at_zero = inputs("zero_at_zero");
    read_.odd = inputs("odd");
    read_.even = inputs("even");
    read_.increasing = inputs("increasing");
    read_.decreasing = inputs("decreasing");
    check_values();
    check_symmetries();
    check_monotone("increasing", read_.increasing);
    check_monotone("decreasing", read_.decreasing);
    return read_;
  }

 private:
  void refuse(std::string_view key, std::string message, std::string help) {
    section_.refuse_key(key, std::move(message), std::move(help));
  }
  void refuse_both(std::string_view key, std::string_view other, std::string_view why) {
    refuse(
        key,
        fmt::format("`{}` and `{}` of network `{}` exclude each other: {}", key, other, network_.name, why),
        fmt::format("remove `{}` or `{}`", key, other));
  }

  void read_bounds() {
    if (!section_.has("bounded")) return;
    const std::vector<double> numbers = section_.numbers("bounded");
    if (numbers.size() == 2 && numbers[0] < numbers[1])
      read_.bounds = {numbers[0], numbers[1]};
    else
      section_.refuse("bounded", "`bounded` must be two numbers, the lower one first",
                      "write bounded = [0, 1]");
  }

  // By their texts in `inputs`.
  Inputs inputs(std::string_view key) {
    Inputs found;
    std::vector<std::string> known;
    for (const Equation& input : network_.inputs) known.push_back(input.text);
    for (const std::string& name : section_.names(key)) {
      const auto at = std::ranges::find(known, name);
      if (network_.reads_window || network_.is_on_fields())
        refuse(key,
               fmt::format("`{}` needs inputs that are single numbers, and network `{}` reads {}", key,
                           network_.name, network_.reads_window ? "the window" : "fields"),
               "remove it");
      else if (at == known.end())
        section_.refuse(key, fmt::format("`{}` is not an input of network `{}`", name, network_.name),
                        fmt::format("its inputs are {}", fmt::join(known, ", ")));
      else
        found.push_back(static_cast<std::size_t>(at - known.begin()));
    }
    return found;
  }

  void check_values() {
    if (read_.is_positive && read_.bounds)
      refuse_both("positive", "bounded", "bounds from 0 on say the same");
    if (read_.sums_to_zero && read_.is_positive)
      refuse_both("sums_to_zero", "positive", "numbers above 0 do not add up to 0");
    if (read_.sums_to_zero && read_.bounds)
      refuse_both("sums_to_zero", "bounded", "what makes the sum 0 would leave the bounds");
    std::size_t n_outputs = 0;
    for (const OutputSpec& output : network_.outputs) n_outputs += output.count;
    if (read_.sums_to_zero && n_outputs < 2)
      refuse("sums_to_zero",
             fmt::format("network `{}` has one output, which `sums_to_zero` would make 0", network_.name),
             "name the outputs that add up to 0 in `outputs`");
  }

  void check_symmetries() {
    const bool is_odd = !read_.odd.empty(), is_even = !read_.even.empty(),
               is_zero = !read_.zero_at_zero.empty();
    if (is_odd && is_even) refuse_both("odd", "even", "a network has one of them");
    if (is_zero && is_odd) refuse_both("zero_at_zero", "odd", "an odd function is 0 at 0");
    if (is_zero && is_even) refuse_both("zero_at_zero", "even", "a network has one of them");
    for (const char* key : {"odd", "zero_at_zero"}) {
      const bool is_given = std::string_view(key) == "odd" ? is_odd : is_zero;
      if (is_given && read_.is_positive) refuse_both(key, "positive", "0 is not above 0");
      if (is_given && read_.bounds && !(read_.bounds->first < 0 && read_.bounds->second > 0))
        refuse_both(key, "bounded", "0 is not between the bounds");
    }
    if (is_odd && read_.bounds && read_.bounds->first != -read_.bounds->second)
      refuse_both("odd", "bounded", "the bounds of an odd function are as far below 0 as above");
  }

  // Symmetries add up networks at two places: of inputs that are the same at both, the sum says nothing.
  void check_monotone(std::string_view key, const Inputs& of) {
    if (of.empty()) return;
    if (!network_.kind->can_be_monotone)
      refuse(key, fmt::format("{} cannot be monotone", network_.kind->noun), "choose kind = \"mlp\"");
    else if (network_.n_conditions > 0)
      refuse(key, "weights that are made for every window have signs of any kind", "write weights = \"own\"");
    else if (const auto activation = network_.settings.choice<Activation>("activation");
             activation == Activation::silu || activation == Activation::gelu)
      refuse(key, "a network with an activation that falls and rises is not monotone",
             "choose activation = \"tanh\"");
    if (!read_.even.empty()) refuse_both(key, "even", "an even function falls and rises");
    if (read_.sums_to_zero) refuse_both(key, "sums_to_zero", "what makes the sum 0 would fall and rise");
    if (!read_.odd.empty() && !is_part_of(of, read_.odd)) refuse_both(key, "odd", "with other inputs");
    if (!read_.zero_at_zero.empty() && !is_part_of(of, read_.zero_at_zero))
      refuse_both(key, "zero_at_zero", "with other inputs");
    if (key == "decreasing")
      for (const std::size_t input : of)
        if (std::ranges::find(read_.increasing, input) != read_.increasing.end())
          refuse_both("decreasing", "increasing",
                      fmt::format("with the same input {}", network_.inputs[input].text));
  }

  Section& section_;
  const NetworkSpec& network_;
  NetworkConstraints read_;
};

}  // namespace

NetworkConstraints read_constraints(Section& section, const NetworkSpec& network) {
  return ConstraintReader(section, network).read();
}

}  // namespace greybox
