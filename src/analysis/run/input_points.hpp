// Grid points of the inputs of an algebraic model, as a table: S'_X of equation (5) that is no measured set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/bound_model.hpp"

namespace greybox {

struct InputAxis {
  std::string column;
  double low = 0, high = 0;
  std::size_t n_points = 0;
};

// x=LOW:HIGH:POINTS, several with commas between. Throws InputError with --on as the place.
std::vector<InputAxis> parse_input_points(const std::string& text);

// Columns that an algebraic model reads and is not compared with, in alphabetical order.
std::vector<std::string> input_columns(const BoundModel& model);

// All combinations, the last column running fastest; what the model is compared with is 0. Throws InputError
// when the model is not algebraic, or other columns are asked for than it reads.
Table table_of_points(const std::filesystem::path& model_file, const std::vector<InputAxis>& axes);

}  // namespace greybox
