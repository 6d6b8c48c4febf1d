// Tables out of archives: wide ones and ones with an axis for the series.
#include "data/npz_table.hpp"

#include <cmath>

#include "data/npz.hpp"
#include "data/raw_npz.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using Doubles = std::vector<double>;
using Singles = std::vector<float>;
using Whole = std::vector<std::int64_t>;

class NpzTableTest : public test::ScratchFolder {
 protected:
  DataTable read(const std::vector<NamedArray>& arrays, const TableOptions& options = {}) {
    write_npz(path("a.npz"), arrays);
    return read_table(path("a.npz"), options);
  }
};

TEST_F(NpzTableTest, ReadsWideTables) {
  const DataTable table = read({{"x", {{4}, Doubles{1, 2, 3, NAN}}},
                                {"series", {{4}, Whole{7, 8, 7, 8}}},
                                {"time", {{4}, Singles{0, 0, 0.5f, 2}}},
                                {"y", {{4}, Whole{1, 0, 1, 0}}}});
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.series[1].name, "8");
  EXPECT_EQ(table.series[1].first_row, 2u);
  EXPECT_EQ(table.time, (Doubles{0, 0.5, 0, 2}));
  EXPECT_EQ(table.find("x")->at(1), 3);
  EXPECT_TRUE(std::isnan(table.find("x")->at(3)));
  EXPECT_EQ(std::get<SharedValues<double>>(table.find("y")->values), (Doubles{1, 1, 0, 0}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>(4, 0)));
}

TEST_F(NpzTableTest, ReadsSeriesNames) {
  const std::u32string names = U"abAB";
  test::write_zip(path("a.npz"),
                  {{"x.npy", test::doubles_npy("(2, 1)", {1, 2})},
                   {"series.npy", test::raw_npy(test::npy_header("<U2", "(2,)"),
                                                test::raw_bytes(std::vector(names.begin(), names.end())))}});
  const DataTable table = read_table(path("a.npz"));
  EXPECT_EQ(table.series[0].name, "ab");
  EXPECT_EQ(table.series[1].name, "AB");
}

TEST_F(NpzTableTest, ReadsStackedSeriesAndFields) {
  Singles field(2 * 3 * 2 * 2);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<float>(i);
  const DataTable table = read({{"u", {{2, 3, 2, 2}, field}},
                                {"x", {{2, 3}, Doubles{1, 2, 3, 4, 5, 6}}},
                                {"time", {{3}, Doubles{0, 0.1, 0.2}}}});
  EXPECT_EQ(table.n_rows(), 6u);
  EXPECT_EQ(table.time, (Doubles{0, 0.1, 0.2, 0, 0.1, 0.2}));
  EXPECT_EQ(table.series[1].name, "1");
  EXPECT_EQ(table.series[1].first_row, 3u);
  EXPECT_EQ(table.find("u")->height, 2u);
  EXPECT_TRUE(table.find("u")->is_field());
  EXPECT_EQ(table.find("u")->at(4, 3), 19);
  EXPECT_TRUE(std::holds_alternative<SharedValues<float>>(table.find("u")->values));
  EXPECT_EQ(table.find("x")->at(4), 5);
}

TEST_F(NpzTableTest, ReadsFieldsOfOneRow) {
  Singles field(2 * 3 * 4);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<float>(i);
  const DataTable table = read({{"u", {{2, 3, 4}, field}}});
  EXPECT_EQ(table.n_rows(), 6u);
  EXPECT_EQ(table.find("u")->height, 1u);
  EXPECT_EQ(table.find("u")->width, 4u);
  EXPECT_EQ(table.find("u")->at(4, 3), 19);
}

TEST_F(NpzTableTest, RepeatsFieldsThatDoNotChange) {
  const NpyArray u{{2, 3, 2, 2}, Singles(24)}, line{{2, 3, 2}, Singles(12)};
  const TableOptions options{.static_fields = {"k"}};
  const DataTable same = read({{"k", {{2, 2}, Doubles{1, 2, 3, 4}}}, {"u", u}}, options);
  EXPECT_EQ(same.find("k")->height, 2u);
  EXPECT_EQ(same.find("k")->at(0, 3), 4);
  EXPECT_EQ(same.find("k")->at(5, 2), 3);
  const DataTable own = read({{"u", line}, {"k", {{2, 2}, Doubles{1, 2, 3, 4}}}}, options);
  EXPECT_EQ(own.find("k")->width, 2u);
  EXPECT_EQ(own.find("k")->at(2, 1), 2);
  EXPECT_EQ(own.find("k")->at(3, 1), 4);
  EXPECT_EQ(read({{"u", line}, {"k", {{2}, Doubles{1, 2}}}}, options).find("k")->at(5, 1), 2);
  test::expect_refused(
      [&] {
        read({{"u", line}, {"k", {{3}, Doubles{1, 2, 3}}}}, options);
      },
      path("a.npz"), "array `k`", "the shape (3) does not go with fields of (2)");
  test::expect_refused(
      [&] {
        read({{"x", {{2, 3}, Doubles(6)}}, {"k", {{2}, Doubles{1, 2}}}}, options);
      },
      path("a.npz"), "array `k`", "no field that does");
}

TEST_F(NpzTableTest, TakesCoordinatesOfFieldsForNoVariable) {
  const NamedArray x = {"x", {{3}, Singles{-1, -0.5f, 0}}}, y = {"Y", {{2, 1}, Doubles{0, 2}}};
  const DataTable table = read({x, y, {"u", {{1, 4, 2, 3}, Doubles(24)}}, {"t", {{4}, Doubles{0, 1, 2, 3}}}});
  ASSERT_EQ(table.columns.size(), 1U);
  const std::vector<GridAxis> axes = read_npz_axes(path("a.npz"), {});
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].first, -1);
  EXPECT_EQ(axes[0].spacing, 0.5);
  EXPECT_FALSE(axes[0].is_y);
  EXPECT_EQ(axes[1].spacing, 2);
  EXPECT_TRUE(axes[1].is_y);
  // A variable may be called so.
  EXPECT_EQ(read({x, {"u", {{3}, Doubles{1, 2, 3}}}}).columns.size(), 2U);
}

TEST_F(NpzTableTest, ReadsFieldsOfOneRunEitherWay) {
  const NamedArray x = {"x", {{3}, Doubles{0, 1, 2}}}, t = {"t", {{1, 2}, Doubles{0, 0.1}}};
  for (const auto& [shape, values] : {std::pair(std::vector<std::size_t>{2, 3}, Doubles{1, 2, 3, 4, 5, 6}),
                                      std::pair(std::vector<std::size_t>{3, 2}, Doubles{1, 4, 2, 5, 3, 6})}) {
    const DataTable table = read({{"usol", {shape, values}}, t, x});
    ASSERT_EQ(table.n_rows(), 2U);
    ASSERT_EQ(table.columns.size(), 1U);
    EXPECT_EQ(table.columns[0].width, 3U);
    EXPECT_EQ(table.columns[0].at(1, 0), 4);
    EXPECT_EQ(table.columns[0].at(0, 2), 3);
    EXPECT_EQ(table.time, (Doubles{0, 0.1}));
  }
}

TEST_F(NpzTableTest, RefusesPointsThatAreNotEvenlySpaced) {
  const std::vector<NamedArray> arrays = {{"x", {{3}, Doubles{0, 1, 3}}}, {"u", {{1, 2, 3}, Doubles(6)}}};
  write_npz(path("a.npz"), arrays);
  test::expect_refused([&] { read_table(path("a.npz")); }, path("a.npz"), "array `x`", "not evenly spaced");
}

TEST_F(NpzTableTest, TakesTimePerSeriesOrNumbersSteps) {
  const NpyArray x{{2, 2}, Doubles{1, 2, 3, 4}};
  EXPECT_EQ(read({{"x", x}, {"t", {{2, 2}, Doubles{0, 1, 5, 7}}}}, {.time_column = "t"}).time,
            (Doubles{0, 1, 5, 7}));
  EXPECT_EQ(read({{"x", x}}).time, (Doubles{0, 1, 0, 1}));
  EXPECT_EQ(read({{"x", {{2}, Doubles{1, 2}}}}).series[0].name, kWholeFile);
}

}  // namespace
}  // namespace greybox
