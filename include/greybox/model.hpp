// A model: theory, networks, composition and candidate regularizers as equations, read and checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "greybox/error.hpp"
#include "greybox/table.hpp"

namespace greybox {

struct ModelSpec;

// One parameter of the theory.
struct ParameterInfo {
  std::string name, unit, about;
  // "uniform", "normal", "lognormal" or "truncated_normal".
  std::string prior;
  // Bounds; infinite where there is none.
  double low = 0, high = 0;
};

// One candidate regularizer of the model file.
struct RegularizerInfo {
  std::string name, expression;
};

// One equation, for a reader.
struct EquationInfo {
  // The table of the model file that it stands in: "theory", "observe", …
  std::string section;
  std::string name;
  // The right side as written, and the whole equation as LaTeX.
  std::string text, latex;
};

// Immutable, and cheap to copy. Whatever can be wrong in a model file without its data was refused with an
// InputError when the model was made.
class Model {
 public:
  // docs/model-file.md describes the file.
  static Model read(const std::filesystem::path& file);
  // The same from memory; messages call the text `name`.
  static Model parse(std::string text, const std::string& name = "model");
  explicit Model(std::shared_ptr<const ModelSpec> spec);

  const std::string& name() const;
  const std::string& about() const;
  // The text of the model file.
  const std::string& text() const;
  std::vector<ParameterInfo> parameters() const;
  // State variables; of an algebraic model, its outputs.
  std::vector<std::string> states() const;
  // Observed variables: what is compared with the data.
  std::vector<std::string> outputs() const;
  std::vector<RegularizerInfo> regularizers() const;
  // All of them, section by section; the composition also where it is the sum of theory and network.
  std::vector<EquationInfo> equations() const;
  // A model without [state].
  bool is_algebraic() const;

  // The data file that the model names, relative to the current folder; empty when it names none.
  std::filesystem::path data_file() const;
  // Which columns are time and series, as [data] says.
  const TableOptions& table_options() const;
  // Reads a data file as [data] of this model says: which columns are time and series.
  Table read_table(const std::filesystem::path& file) const;
  Table read_table() const;
  // Reads a file for an input (docs/inputs.md) as the model says, to be given to Table::input.
  Table read_input(const std::string& input, const std::filesystem::path& file) const;

  // For the library's own use.
  const std::shared_ptr<const ModelSpec>& spec() const { return spec_; }

 private:
  std::shared_ptr<const ModelSpec> spec_;
};

}  // namespace greybox
