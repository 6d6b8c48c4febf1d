// Arrays that stay in their file: the numbers of those in memory, and what is refused.
#include <cmath>

#include "data/made_table.hpp"
#include "data/raw_npz.hpp"
#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "data/windows.hpp"
#include "data/zip_directory.hpp"
#include "greybox/memory.hpp"

namespace greybox {
namespace {

using Singles = std::vector<float>;

class NpzInFile : public test::ScratchFolder {
 protected:
  ~NpzInFile() override { set_memory_limit(0); }

  // 3 series of 50 steps of 4 × 5 points, 12 kB, behind a name that leaves them unaligned.
  static Singles numbers() {
    Singles values(3 * 50 * 4 * 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.1f * static_cast<float>(i));
    return values;
  }
  std::filesystem::path file_of(const Singles& values, zip_int32_t method = ZIP_CM_STORE) const {
    const std::string header = test::npy_header("<f4", "(3, 50, 4, 5)");
    const auto file = path("a.npz");
    test::write_zip(file,
                    {{"field.npy", test::raw_npy(header, test::raw_bytes(values))},
                     {"x.npy", test::doubles_npy("(3, 50)", std::vector<double>(150, 1.5))}},
                    method);
    return file;
  }
  static const SharedValues<float>& field(const DataTable& table) {
    return std::get<SharedValues<float>>(table.find("field")->values);
  }
  // Room for the rest, and less than the field.
  static constexpr std::size_t kLittle = 10'000;
};

TEST_F(NpzInFile, HasTheNumbersOfOneInMemory) {
  const auto file = file_of(numbers());
  const DataTable in_memory = read_table(file);
  set_memory_limit(kLittle);
  const DataTable in_file = read_table(file);
  EXPECT_FALSE(field(in_memory).is_in_file());
  ASSERT_TRUE(field(in_file).is_in_file());
  EXPECT_EQ(field(in_file), numbers());
  EXPECT_EQ(in_file.sha256, in_memory.sha256);
  EXPECT_EQ(content_digest(in_file), content_digest(in_memory));
  EXPECT_EQ(in_file.find("field")->at(149, 19), numbers().back());
  EXPECT_EQ(in_file.find("x")->at(149), 1.5);
}

TEST_F(NpzInFile, KnowsWhatIsMissing) {
  Singles values = numbers();
  values[25] = values[2999] = NAN;
  set_memory_limit(kLittle);
  const DataTable table = read_table(file_of(values));
  ASSERT_TRUE(field(table).is_in_file());
  EXPECT_EQ(count_missing(*table.find("field")), 2u);
  EXPECT_TRUE(is_missing(*table.find("field"), 1));
  EXPECT_FALSE(is_missing(*table.find("field"), 2));
}

TEST_F(NpzInFile, IsRefusedWhereAValueIsInfinite) {
  Singles values = numbers();
  values[1021] = INFINITY;
  set_memory_limit(kLittle);
  const auto file = file_of(values);
  test::expect_refused([&] { read_table(file); }, file, "array `field`, series `1`, step 1", "infinite");
}

TEST_F(NpzInFile, IsCopiedToBeChangedWhereItFits) {
  Singles values = numbers();
  values[25] = NAN;
  set_memory_limit(20'000);
  DataTable table = read_table(file_of(values));
  ASSERT_TRUE(field(table).is_in_file());
  const DataTable before = table;
  treat_missing(table, Missing::drop, {"field"});
  EXPECT_EQ(table.n_rows(), 149u);
  EXPECT_EQ(table.find("field")->at(1, 0), values[40]);
  EXPECT_TRUE(std::isnan(field(before)[25]));
  set_memory_limit(kLittle);
  DataTable too_large = read_table(file_of(values));
  test::expect_refused([&] { treat_missing(too_large, Missing::interpolate, {"field"}); }, "", "",
                       "would take 11.7 KiB of memory");
}

TEST_F(NpzInFile, MustNotBeCompressed) {
  const auto file = file_of(Singles(3 * 50 * 4 * 5), ZIP_CM_DEFLATE);
  set_memory_limit(kLittle);
  test::expect_refused([&] { read_table(file); }, file, "array `field`", "the archive is compressed");
}

TEST_F(NpzInFile, IsReadInAnyOrderAndTypeWhereItFits) {
  const auto file = path("b.npz");
  test::write_zip(file, {{"field.npy", test::raw_npy(test::npy_header("<f4", "(3, 50, 4, 5)", true),
                                                     test::raw_bytes(numbers()))}});
  EXPECT_FALSE(field(read_table(file)).is_in_file());
  set_memory_limit(kLittle);
  test::expect_refused([&] { read_table(file); }, file, "array `field`", "the limit leaves");
}

// What libzip says it found must stand where the directory says.
TEST_F(NpzInFile, IsFoundByTheDirectory) {
  const std::string content = bytes_of(file_of(numbers()));
  const auto begins = stored_entries(std::as_bytes(std::span(content)));
  ASSERT_EQ(begins.size(), 2u);
  ASSERT_TRUE(begins[0].has_value());
  EXPECT_EQ(content.substr(*begins[0], 6), "\x93NUMPY");
  EXPECT_EQ(content.substr(*begins[1], 6), "\x93NUMPY");
  EXPECT_TRUE(stored_entries(std::as_bytes(std::span(content).first(content.size() - 30))).empty());
  const std::string packed = bytes_of(file_of(Singles(3000), ZIP_CM_DEFLATE));
  EXPECT_FALSE(stored_entries(std::as_bytes(std::span(packed)))[0].has_value());
}

TEST_F(NpzInFile, SurvivesTruncationAndFlippedBytes) {
  const std::string content = bytes_of(file_of(numbers()));
  set_memory_limit(kLittle);
  std::size_t n_refused = 0;
  const auto try_to_read = [&](const std::string& damaged) {
    try {
      read_table(write("damaged.npz", damaged));
    } catch (const InputError&) {
      ++n_refused;
    }
  };
  for (std::size_t i = 0; i < content.size(); i += i < 200 || i + 400 > content.size() ? 1 : 97) {
    try_to_read(content.substr(0, i));
    std::string flipped = content;
    flipped[i] = static_cast<char>(~flipped[i]);
    try_to_read(flipped);
  }
  EXPECT_GT(n_refused, 700u);
}

}  // namespace
}  // namespace greybox
