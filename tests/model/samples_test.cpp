// Windows of a table as a model sees them, and tables that it cannot see so.
#include "model/samples.hpp"

#include <gtest/gtest.h>

#include "data/scratch_folder.hpp"
#include "model/evaluator_models.hpp"

namespace greybox::test {
namespace {

DataTable table_of(const MadeModel& made) {
  return made.data->table();
}

TEST(Samples, ColumnsAreInTheModelsOrder) {
  const MadeModel made(driven_oscillator(), 3);
  const WindowData& data = made.data->windows();
  ASSERT_EQ(data.columns.size(), made.model->columns.size());
  for (std::size_t c = 0; c < data.columns.size(); ++c)
    EXPECT_EQ(data.columns[c]->name, made.model->columns[c].name);
  EXPECT_EQ(data.longest(), 5U);  // series are 3, 4 and 5 snapshots long
  EXPECT_EQ(WindowData{}.longest(), 0U);
}

TEST(Samples, EveryMissingColumnIsNamed) {
  const MadeModel made(algebraic_model(), 2);
  DataTable table = table_of(made);
  std::erase_if(table.columns, [](const Column& column) { return column.name == "w" || column.name == "x"; });
  try {
    view_windows(*made.model, table, made.data->windows().windows);
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_EQ(error.diagnostics()[0].file, "made.csv");
    EXPECT_NE(error.diagnostics()[0].message.find("needs a column"), std::string::npos);
    EXPECT_NE(error.diagnostics()[1].help.find("the columns are "), std::string::npos);
  }
}

TEST(Samples, AFieldMustFitTheGrid) {
  const MadeModel made(reaction_model(), 2);
  DataTable table = table_of(made);
  for (Column& column : table.columns)
    if (column.name == "u") column = made_column("u", 5, 4, table.n_rows(), 0);
  test::expect_refused([&] { view_windows(*made.model, table, made.data->windows().windows); }, "made.csv",
                       "column `u`",
                       "the data hold a field of 5 × 4, and the model expects a field of 4 × 5");
  for (Column& column : table.columns)
    if (column.name == "u") column = made_column("u", 1, 1, table.n_rows(), 0);
  test::expect_refused([&] { view_windows(*made.model, table, made.data->windows().windows); }, "made.csv",
                       "column `u`", "the data hold a scalar");
}

// Samples that batch norm ties together cannot have steps of their own.
TEST(Samples, CoupledWindowsMarchInStep) {
  const MadeModel made(reaction_model({.norm = "batch"}), 3);
  DataTable table = table_of(made);
  std::vector<Window> windows = made.data->windows().windows;
  ASSERT_GT(windows.size(), 1U);
  EXPECT_NO_THROW(view_windows(*made.model, table, windows));
  windows.back().n_rows -= 1;
  test::expect_refused([&] { view_windows(*made.model, table, windows); }, "made.csv", "series `s2`",
                       "windows differ in length or time steps");
  windows = made.data->windows().windows;
  table.time[windows.back().first_row + 2] += 5;  // more steps of the solver
  test::expect_refused([&] { view_windows(*made.model, table, windows); }, "made.csv", "series `s2`",
                       "windows differ in length or time steps");
}

}  // namespace
}  // namespace greybox::test
