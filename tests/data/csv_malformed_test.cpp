// Text tables that must be refused, each with its place and a sentence.
#include "data/scratch_folder.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

using namespace std::string_literals;

struct Malformed {
  std::string name;  // of the case
  std::string content;
  std::string element;
  std::string message;
  TableOptions options = {};
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedCsvTest : public test::ScratchFolder, public ::testing::WithParamInterface<Malformed> {};

TEST_P(MalformedCsvTest, IsRefused) {
  const auto file = write("bad.csv", GetParam().content);
  test::expect_refused([&] { read_table(file, GetParam().options); }, file, GetParam().element,
                       GetParam().message);
}

const Malformed kFiles[] = {
    {"Empty", "", "", "no header and no rows"},
    {"OnlyBlankLines", "\n  \n\r\n", "", "no header and no rows"},
    {"OnlyComments", "# a\n# b\n", "", "no header and no rows"},
    {"OnlyByteOrderMark", "\xEF\xBB\xBF", "", "no header and no rows"},
    {"HeaderOnly", "time,x\n", "", "no rows below the header"},
    {"HeaderAndComments", "time,x\n# 1,2\n\n", "", "no rows below the header"},
    {"NulByte", "x,y\n1,\0002\n"s, "row 2", "NUL byte"},
    {"NulInHeader", "x\0,y\n1,2\n"s, "row 1", "NUL byte"},
    {"ZipArchive", "PK\3\4\0\0\0\0"s, "row 1", "NUL byte"},
    {"NotUtf8", "x,y\n1,2\n3,\xE9\n", "row 3", "not UTF-8"},
    {"NotUtf8InQuotes", "series,x\n\"a\nb\xFF\",2\n", "row 3", "not UTF-8"},
    {"NotUtf8InComment", "# \xE9t\xE9\nx\n1\n", "row 1", "not UTF-8"},
    {"Utf16LittleEndian", "\xFF\xFEx\0\n\0"s, "row 1", "UTF-16"},
    {"Utf16BigEndian", "\xFE\xFF\0x\0\n"s, "row 1", "UTF-16"},
    {"BareCarriageReturns", "x,y\r1,2\r3,4\r\n", "row 1", "carriage return"},
    {"CarriageReturnInRow", "x,y\n1,2\n3\r,4\n", "row 3", "carriage return"},
    {"GiganticLine", "x\n" + std::string(17 << 20, '1'), "row 2", "more than 16 MiB"},
    {"GiganticQuote", "x,y\n1,\"" + std::string(17 << 20, '\n'), "row 2", "more than 16 MiB"},
};

const Malformed kHeaders[] = {
    {"Numbers", "1,2\n3,4\n", "row 1, column 1", "header looks like numbers: `1`"},
    {"NumbersAfterText", "A,0.5\nB,1.5\n", "row 1, column 2", "header looks like numbers: `0.5`"},
    {"HeaderBehindComment", "# time,x\n0,1\n1,2\n", "row 2, column 1", "header looks like numbers: `0`"},
    {"EmptyName", "time,,x\n1,2,3\n", "row 1, column 2", "no name"},
    {"TrailingSeparator", "time,x,\n1,2,3\n", "row 1, column 3", "no name"},
    {"QuotedEmptyName", "time,\"\",x\n1,2,3\n", "row 1, column 2", "no name"},
    {"DuplicateName", "time,x,y,x\n1,2,3,4\n", "row 1, column 4", "`x` is already that of column 2"},
    {"DuplicateAfterTrimming", "x , x\n1,2\n", "row 1, column 2", "already that of column 1"},
    {"DuplicateBelowComments", "# 1\n\nx,x\n1,2\n", "row 3, column 2", "already that of column 1"},
    {"UnclosedQuote", "x,\"y\n1,2\n", "row 1", "never closed"},
    {"TextAfterQuote", "\"x\"y,z\n1,2\n", "row 1", "text after a closing quote: `y,z`"},
    {"QuoteThatOnlyLooksClosed", "p,q,r;\"b,\"c\n", "row 1", "never closed"},
    {"UnclearSeparator", "x,y;z\n1,2\n", "row 1", "as many `,` as `;`"},
    {"OnlyTimeAndSeries", "time,series\n1,A\n", "header", "no column besides time and series"},
    {"NoSuchTime", "t,x\n1,2\n", "header", "no column `day`", {.time_column = "day"}},
    {"NoSuchSeries", "t,x\n1,2\n", "header", "no column `run`", {.series_column = "run"}},
    {"TimeIsSeries",
     "t,x\n1,2\n",
     "header",
     "both time and series",
     {.series_column = "t", .time_column = "t"}},
};

const Malformed kRows[] = {
    {"TooFewCells", "x,y\n1,2\n3\n", "row 3", "1 cells, but the header names 2 columns"},
    {"TooManyCells", "x,y\n1,2\n\n3,4,5\n", "row 4", "3 cells, but the header names 2 columns"},
    {"TooManyAfterMultilineQuote", "series,x\n\"a\nb\",1\nc,2,3\n", "row 4", "3 cells"},
    {"OtherSeparator", "x;y\n1,2\n", "row 2", "1 cells, but the header names 2 columns"},
    {"DecimalCommaSplitsCells", "time,x\n0,5,1,5\n", "row 2", "4 cells"},
    {"DecimalCommaAndPoint", "time;x\n0;1,5\n1;2.5\n", "", "a decimal comma and others a decimal point"},
    {"DecimalCommaQuoted", "time,x\n0,\"1,5\"\n", "row 2, column `x`", "`1,5` has a decimal comma"},
    {"Text", "time,x\n0,1\n1,high\n", "row 3, column `x`", "`high` is not a number"},
    {"TextShownShortened", "x\n" + std::string(200, 'z') + "\n", "row 2, column `x`", "z…` is not a number"},
    {"ControlCharactersShown", "x\n1\x01\n", "row 2, column `x`", "`1\\x01` is not a number"},
    {"Underscore", "x\n1_000\n", "row 2, column `x`", "`1_000` is not a number"},
    {"ThousandsBlank", "x\n1 000\n", "row 2, column `x`", "`1 000` is not a number"},
    {"Hexadecimal", "x\n0x10\n", "row 2, column `x`", "`0x10` is not a number"},
    {"Unit", "x,y\n1 m,2\n", "row 2, column `x`", "`1 m` is a number with a unit"},
    {"Percent", "x,y\n1,2%\n", "row 2, column `y`", "`2%` is a number with a unit"},
    {"Thousands", "time,x\n0,\"10,000\"\n", "row 2, column `x`", "`10,000` has a comma"},
    {"RowOfUnits", "time,x\ns,mol/l\n0,1\n", "row 2", "the row below the header has no numbers"},
    {"DateOfTwoMeanings", "time,x\n01/02/2020,2\n", "row 2, column `time`",
     "`01/02/2020` is a date of which"},
    {"DateInAVariable", "time,x\n1,2020-01-01\n", "row 2, column `x`", "`2020-01-01` is not a number"},
    {"OtherWordForMissing", "x,y\n1,unknown\n", "row 2, column `y`", "`unknown` is not a number"},
    {"Infinite", "x,y\n1,inf\n", "row 2, column `y`", "`inf` is infinite"},
    {"MinusInfinite", "x,y\n-Infinity,1\n", "row 2, column `x`", "`-Infinity` is infinite"},
    {"TooLarge", "x\n1e400\n", "row 2, column `x`", "beyond the range"},
    {"TimeMissing", "time,x\n0,1\n,2\n", "row 3, column `time`", "a time is needed in every row"},
    {"TimeNaN", "time,x\nNaN,1\n", "row 2, column `time`", "a time is needed in every row"},
    {"TimeInfinite", "time,x\ninf,1\n", "row 2, column `time`", "infinite"},
    {"SeriesMissing", "series,x\nA,1\n,2\n", "row 3, column `series`", "a series name is needed"},
    {"SeriesNA", "series,x\nNA,1\n", "row 2, column `series`", "a series name is needed"},
    {"TimeRepeats", "time,x\n0,1\n0,2\n", "row 3, column `time`", "0 follows 0"},
    {"TimeFalls", "time,x\n0,1\n2,2\n# c\n1,3\n", "row 5, column `time`", "1 follows 2"},
    {"TimeFallsInGatheredSeries", "series,time,x\nA,1,1\nB,0,1\nA,0.5,1\n", "row 4, column `time`",
     "(series `A`)"},
    {"UnclosedQuoteInRow", "x,y\n1,2\n3,\"4\n5,6\n", "row 3", "never closed"},
    {"TextAfterQuoteInRow", "x,y\n\"1\"2,3\n", "row 2", "text after a closing quote"},
};

std::string csv_case_name(const ::testing::TestParamInfo<Malformed>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedCsvTest, ::testing::ValuesIn(kFiles), csv_case_name);
INSTANTIATE_TEST_SUITE_P(Headers, MalformedCsvTest, ::testing::ValuesIn(kHeaders), csv_case_name);
INSTANTIATE_TEST_SUITE_P(Rows, MalformedCsvTest, ::testing::ValuesIn(kRows), csv_case_name);

class RefusedFileTest : public test::ScratchFolder {};

TEST_F(RefusedFileTest, MissingFile) {
  test::expect_refused([&] { read_table(path("none.csv")); }, path("none.csv"), "", "no such file");
}

TEST_F(RefusedFileTest, Folder) {
  std::filesystem::create_directory(path("folder.csv"));
  test::expect_refused([&] { read_table(path("folder.csv")); }, path("folder.csv"), "", "a folder");
}

TEST_F(RefusedFileTest, UnreadableFile) {
  const auto file = write("secret.csv", "x\n1\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may read every file";
  test::expect_refused([&] { read_table(file); }, file, "", "cannot open");
}

TEST_F(RefusedFileTest, OtherFormats) {
  for (const char* name : {"a.npy", "a.xlsx", "a", "a.csv.gz"}) {
    const auto file = write(name, "x\n1\n");
    test::expect_refused([&] { read_table(file); }, file, "", "cannot tell the format");
  }
}

TEST_F(RefusedFileTest, SuggestsTheNearestColumn) {
  const auto file = write("a.csv", "time,velocity\n0,1\n");
  try {
    read_table(file, {.time_column = "tiem"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].help, "did you mean `time`?");
  }
}

TEST_F(RefusedFileTest, ShowsSeveralMistakesButNotAll) {
  const auto mistakes_in = [&](std::size_t n_bad) {
    std::string content = "x,y\n";
    for (std::size_t i = 0; i < n_bad; ++i) content += "1,bad\n";
    try {
      read_table(write("a.csv", content));
    } catch (const InputError& error) {
      return error.diagnostics().size();
    }
    return std::size_t{0};
  };
  EXPECT_EQ(mistakes_in(3), 3u);
  EXPECT_EQ(mistakes_in(5000), 10u);
}

// Whatever the bytes, the reader ends with a table or an InputError.
TEST_F(RefusedFileTest, SurvivesDamagedFiles) {
  const std::string sound = "series,time,x\n\"a,\"\"b\",0,1.5\nb,1,\n# c\nb,2,-3e-2\n";
  const std::string bytes = ",\"\n\r#e\xFF";
  std::size_t n_refused = 0, n_read = 0;
  for (std::size_t position = 0; position < sound.size(); ++position) {
    for (const char byte : bytes) {
      std::string damaged = sound;
      damaged[position] = byte;
      for (const std::string& content : {damaged, damaged.substr(0, position + 1)}) {
        try {
          read_table(write("a.csv", content));
          ++n_read;
        } catch (const InputError& error) {
          EXPECT_FALSE(error.diagnostics().empty());
          ++n_refused;
        }
      }
    }
  }
  EXPECT_GT(n_refused, 100u);
  EXPECT_GT(n_read, 100u);
}

}  // namespace
}  // namespace greybox
