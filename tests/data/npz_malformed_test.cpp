// Archives that must be refused, each with file, array and a sentence.
#include <cmath>

#include "data/npz.hpp"
#include "data/raw_npz.hpp"
#include "data/scratch_folder.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

using namespace std::string_literals;
using test::doubles_npy;
using test::npy_header;
using test::raw_npy;

struct MalformedNpz {
  std::string name;  // of the case
  test::RawEntries entries;
  std::string element;
  std::string message;
  TableOptions options = {};
};

void PrintTo(const MalformedNpz& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedNpzTest : public test::ScratchFolder, public ::testing::WithParamInterface<MalformedNpz> {};

TEST_P(MalformedNpzTest, IsRefused) {
  const auto file = path("bad.npz");
  test::write_zip(file, GetParam().entries);
  test::expect_refused([&] { read_table(file, GetParam().options); }, file, GetParam().element,
                       GetParam().message);
}

MalformedNpz of_array(const std::string& name, const std::string& npy, const std::string& message) {
  return {name, {{"x.npy", npy}}, "array `x`", message};
}
MalformedNpz of_header(const std::string& name, const std::string& header, const std::string& message) {
  return of_array(name, raw_npy(header, std::string(16, '\0')), message);
}

const MalformedNpz kArrays[] = {
    of_array("EmptyEntry", "", "cut short"),
    of_array("HalfAMagic", "\x93NUM", "cut short"),
    of_array("BadMagic", "NUMPY" + std::string(100, 'x'), "wrong magic"),
    of_array("Version0", "\x93NUMPY\0\0"s + std::string(100, ' '), "version 0"),
    of_array("Version9", "\x93NUMPY\x09\0"s + std::string(100, ' '), "version 9"),
    of_array("HeaderLongerThanEntry", "\x93NUMPY\1\0\xFF\x0F{}"s, "cut short"),
    of_array("OversizedHeader", "\x93NUMPY\2\0\xFF\xFF\xFF\x7F"s + std::string(100, ' '),
             "a header of 2147483647 bytes"),
    of_header("EmptyHeader", "", "cannot be understood"),
    of_header("NotADictionary", "hello", "cannot be understood at `hello`"),
    of_header("UnclosedDictionary", "{'descr': '<f8'", "cannot be understood"),
    of_header("UnclosedString", "{'descr': '<f8", "cannot be understood"),
    of_header("NoShape", "{'descr': '<f8', 'fortran_order': False}", "cannot be understood"),
    of_header("UnknownKey", "{'descr': '<f8', 'colour': False}", "cannot be understood"),
    of_header("NegativeShape", npy_header("<f8", "(-2,)"), "cannot be understood"),
    of_header("FractionalShape", npy_header("<f8", "(2.5,)"), "cannot be understood"),
    of_header("EmptyType", npy_header("", "(2,)"), "cannot be understood"),
    of_header("ShapeOverflows", npy_header("<f8", "(4294967296, 4294967296)"), "larger than any memory"),
    of_header("BytesOverflow", npy_header("<f8", "(4611686018427387904,)"), "larger than any memory"),
    of_header("NumberOverflows", npy_header("<f8", "(99999999999999999999,)"), "larger than any memory"),
    of_header("TooLittleData", npy_header("<f8", "(3,)"), "promises 24 bytes of data, but there are 16"),
    of_header("TooMuchData", npy_header("<f8", "(1,)"), "promises 8 bytes of data, but there are 16"),
    of_header("HugePromise", npy_header("<f8", "(1000000000000,)"), "promises 8000000000000 bytes"),
    of_header("Objects", npy_header("|O", "(2,)"), "Python objects"),
    of_header("Complex", npy_header("<c16", "(1,)"), "complex numbers"),
    of_header("ByteStrings", npy_header("|S8", "(2,)"), "byte strings"),
    of_header("Dates", npy_header("<M8[ns]", "(2,)"), "dates"),
    of_header("Structured", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }",
              "structured"),
    of_header("LongDouble", npy_header("<f16", "(1,)"), "floating-point numbers of 16 bytes"),
    of_header("Text", npy_header("<U2", "(2,)"), "an array of text"),
    of_array("TextWithoutCharacters", raw_npy(npy_header("<U0", "(5,)"), ""), "text without characters"),
    of_header("TextMatrix", npy_header("<U2", "(1, 2)"), "text in more than one dimension"),
    of_array("TextNotUnicode", raw_npy(npy_header("<U1", "(1,)"), "\xFF\xFF\xFF\xFF"), "not Unicode"),
    of_array("IntegerTooLarge", raw_npy(npy_header("<u8", "(1,)"), std::string(8, '\xFF')),
             "18446744073709551615 is too large"),
};

const std::string kTwo = doubles_npy("(2,)", {1, 2});
const std::string kTwoByTwo = doubles_npy("(2, 2)", {1, 2, 3, 4});

const MalformedNpz kTables[] = {
    {"NotAnArray", {{"x.npy", kTwo}, {"readme.txt", "hello"}}, "entry `readme.txt`", "does not end in .npy"},
    {"OnlyAnEnding", {{".npy", kTwo}}, "entry `.npy`", "does not end in .npy"},
    {"OnlyTime", {{"time.npy", kTwo}}, "", "no array besides time and series"},
    {"Scalar", {{"x.npy", doubles_npy("()", {1})}}, "array `x`", "0 axes"},
    {"FiveAxes", {{"x.npy", doubles_npy("(1, 1, 1, 1, 2)", {1, 2})}}, "array `x`", "5 axes"},
    {"NoRows", {{"x.npy", doubles_npy("(0,)", {})}}, "array `x`", "an empty array, (0)"},
    {"RowsDisagree",
     {{"x.npy", kTwo}, {"y.npy", doubles_npy("(3,)", {1, 2, 3})}},
     "array `y`",
     "(3) does not go with (2) of `x`"},
    {"StepsDisagree",
     {{"x.npy", kTwoByTwo}, {"y.npy", doubles_npy("(2, 1)", {1, 2})}},
     "array `y`",
     "(2 × 1) does not go with (2 × 2)"},
    {"MixedKinds",
     {{"x.npy", kTwoByTwo}, {"y.npy", kTwo}},
     "array `y`",
     "(2) does not go with (2 × 2) of `x`"},
    {"TimeTooShort",
     {{"x.npy", kTwo}, {"time.npy", doubles_npy("(1,)", {1})}},
     "array `time`",
     "does not go with (2) of `x`"},
    {"TimeOfOtherSteps",
     {{"x.npy", kTwoByTwo}, {"time.npy", doubles_npy("(3,)", {1, 2, 3})}},
     "array `time`",
     "(3) does not go with"},
    {"TimeFalls",
     {{"x.npy", kTwo}, {"time.npy", doubles_npy("(2,)", {1, 0})}},
     "array `time`, series `all`, step 1",
     "0 follows 1"},
    {"TimeMissing",
     {{"x.npy", kTwo}, {"time.npy", doubles_npy("(2,)", {NAN, 0})}},
     "array `time`, series `all`, step 0",
     "a time is needed"},
    {"TimeIsText",
     {{"x.npy", kTwo}, {"time.npy", raw_npy(npy_header("<U1", "(2,)"), std::string("a\0\0\0b\0\0\0", 8))}},
     "array `time`",
     "time is text"},
    {"SeriesTooLong",
     {{"x.npy", kTwo}, {"series.npy", doubles_npy("(3,)", {1, 2, 3})}},
     "array `series`",
     "(3) does not go with (2)"},
    {"SeriesOfRowsForStacked",
     {{"x.npy", doubles_npy("(1, 2)", {1, 2})}, {"series.npy", kTwo}},
     "array `series`",
     "(2) does not go with (1 × 2)"},
    {"SeriesTwice",
     {{"x.npy", kTwoByTwo}, {"series.npy", doubles_npy("(2,)", {3, 3})}},
     "array `series`",
     "two series are called `3`"},
    {"SeriesNaN",
     {{"x.npy", kTwo}, {"series.npy", doubles_npy("(2,)", {1, NAN})}},
     "array `series`",
     "not a number"},
    {"SeriesWithoutName",
     {{"x.npy", kTwo}, {"series.npy", raw_npy(npy_header("<U1", "(2,)"), std::string("a\0\0\0\0\0\0\0", 8))}},
     "array `series`",
     "without a name"},
    {"Infinite",
     {{"x.npy", doubles_npy("(2, 2)", {1, 2, 3, INFINITY})}},
     "array `x`, series `1`, step 1",
     "infinite"},
    {"NoSuchTime", {{"x.npy", kTwo}}, "", "no column `day`", {.time_column = "day"}},
    {"TimeIsSeries",
     {{"x.npy", kTwo}, {"t.npy", kTwo}},
     "array `t`",
     "both time and series",
     {.series_column = "t", .time_column = "t"}},
};

std::string npz_case_name(const ::testing::TestParamInfo<MalformedNpz>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Arrays, MalformedNpzTest, ::testing::ValuesIn(kArrays), npz_case_name);
INSTANTIATE_TEST_SUITE_P(Tables, MalformedNpzTest, ::testing::ValuesIn(kTables), npz_case_name);

class DamagedNpzTest : public test::ScratchFolder {
 protected:
  std::string sound(zip_int32_t method) {
    test::write_zip(path("a.npz"), {{"x.npy", doubles_npy("(2, 2)", {1, 2, 3, 4})}, {"time.npy", kTwo}},
                    method);
    return bytes_of(path("a.npz"));
  }
};

TEST_F(DamagedNpzTest, NotAnArchive) {
  for (const std::string content : {"", "hello", "time,x\n0,1\n"}) {
    const auto file = write("text.npz", content);
    test::expect_refused([&] { read_npz(file); }, file, "", "cannot read the file as an npz archive");
  }
  test::expect_refused([&] { read_npz(path("none.npz")); }, path("none.npz"), "", "cannot open");
}

TEST_F(DamagedNpzTest, ChecksumMismatch) {
  std::string content = sound(ZIP_CM_STORE);
  content[content.find(test::raw_bytes(std::vector<double>{3, 4}))] ^= 1;
  const auto file = write("flipped.npz", content);
  test::expect_refused([&] { read_npz(file); }, file, "array `x`", "damaged");
}

// libzip writes none, so one of two names of the same length is changed to the other.
TEST_F(DamagedNpzTest, TwoArraysOfOneName) {
  test::write_zip(path("a.npz"),
                  {{"x.npy", doubles_npy("(2,)", {1, 2})}, {"z.npy", doubles_npy("(2,)", {3, 4})}},
                  ZIP_CM_STORE);
  std::string content = bytes_of(path("a.npz"));
  for (std::size_t at; (at = content.find("z.npy")) != std::string::npos;) content[at] = 'x';
  const auto file = write("twice.npz", content);
  test::expect_refused([&] { read_npz(file); }, file, "array `x`", "two arrays of this name");
}

// A central directory that claims a size no deflated entry of these bytes can have must not make us allocate.
TEST_F(DamagedNpzTest, ImpossibleSize) {
  std::string content = sound(ZIP_CM_DEFLATE);
  const std::size_t central = content.find("PK\1\2");
  content.replace(central + 24, 4, "\xFF\xFF\xFF\x7F");
  const auto file = write("bomb.npz", content);
  test::expect_refused([&] { read_npz(file); }, file, "array `x`", "a size that the entry cannot have");
}

// Whatever the damage, the reader ends with arrays or an InputError.
TEST_F(DamagedNpzTest, SurvivesTruncationAndFlippedBytes) {
  std::size_t n_refused = 0;
  const auto try_to_read = [&](const std::string& content) {
    try {
      read_table(write("damaged.npz", content));
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().front().file, path("damaged.npz").string());
      ++n_refused;
    }
  };
  for (const zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    const std::string content = sound(method);
    for (std::size_t i = 0; i < content.size(); i += 3) {
      try_to_read(content.substr(0, i));
      std::string flipped = content;
      flipped[i] = static_cast<char>(~flipped[i]);
      try_to_read(flipped);
    }
    EXPECT_GT(n_refused, content.size() / 3);
  }
}

// Bytes are kept as numbers of 8 bytes: half a gigabyte for each of these arrays.
TEST_F(DamagedNpzTest, UnpacksToNoMoreThanItsBudget) {
  const std::string zeros(std::size_t{1} << 26U, '\0');
  const std::string npy = test::raw_npy(test::npy_header("|u1", "(67108864,)"), zeros);
  test::write_zip(path("bomb.npz"), {{"a.npy", npy}, {"b.npy", npy}}, ZIP_CM_DEFLATE);
  test::expect_refused([&] { read_npz(path("bomb.npz")); }, path("bomb.npz"), "array `a`",
                       "the archive is compressed");
}

}  // namespace
}  // namespace greybox
