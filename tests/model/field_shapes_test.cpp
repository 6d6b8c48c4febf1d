// Which variables of the data are fields, where the model file does not list them.
#include <gtest/gtest.h>

#include "model/loaded_model.hpp"
#include "model/made_model.hpp"

namespace greybox::test {
namespace {

TEST(FieldShapes, AreThoseOfTheDataWithoutAList) {
  const auto spec = std::make_shared<const ModelSpec>(parse_model_spec(R"toml([data]
file = "made.npz"
columns = { twice = "2*heat" }
[parameters]
k = { prior = "uniform", low = 0, high = 1 }
[grid]
height = 2
width = 3
[inputs]
warmth = "twice"
[state]
u = "u"
[theory]
u = "k*laplacian(u) + warmth"
[network.fD]
kind = "conv2d"
inputs = ["u"]
channels = [2]
kernel = 3
outputs = ["u"]
[observe]
u = "u"
)toml",
                                                                       "made.toml"));
  DataTable table;
  table.file = "made.npz";
  table.series.push_back({"s", 0, 3});
  table.time = {0, 0.1, 0.2};
  table.lines.assign(3, 0);
  table.columns = {made_column("u", 2, 3, 3, 0.1), made_column("heat", 1, 1, 3, 0.4)};
  const LoadedModel loaded = assemble(spec, std::make_shared<const DataTable>(table));
  for (const ModelColumn& column : loaded.model->columns)
    EXPECT_EQ(column.shape, column.name == "u" ? Shape::field : Shape::scalar) << column.name;
  EXPECT_EQ(loaded.model->columns.size(), 2U);
}

}  // namespace
}  // namespace greybox::test
