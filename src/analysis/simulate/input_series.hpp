// The exogenous inputs of a simulation: values at times of their own.
#pragma once

#include <string>
#include <vector>

#include "model/loaded_model.hpp"

namespace greybox {

struct InputSeries {
  // What messages call it.
  std::string source;
  // Of the table that they were given in.
  std::vector<double> time;
  // Of each input of the model: its values at times of its own, NaN where one is missing.
  struct Values {
    std::vector<double> time;
    // [time, grid point]
    std::vector<double> values;
    // 1 for a number.
    std::size_t points = 1;

    // Linear between the values that are there, constant beyond the first and the last.
    double at(double t, std::size_t point) const;
  };
  std::vector<Values> inputs;

  bool empty() const { return inputs.empty(); }
};

// Of a table that need not hold more than the columns that [inputs] reads; an input that has a table of its
// own takes it from there, or from `others` where it can be made of neither. `series` names the one to take
// where there are several. Throws InputError when a column or the series is missing.
InputSeries inputs_of_table(const std::shared_ptr<const ModelSpec>& spec, const DataTable& table,
                            const DataTable* others, const std::string& series);

}  // namespace greybox
