// Records and fields: separators, quotes, comments, line ends, and lines across buffer borders.
#include "data/csv_reader.hpp"

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class CsvReaderTest : public test::ScratchFolder {
 protected:
  using Rows = std::vector<std::vector<std::string>>;

  Rows read(std::string_view content) {
    lines.clear();
    CsvReader reader(write("a.csv", content));
    CsvRecord record;
    Rows rows;
    while (reader.next(record)) {
      rows.emplace_back(record.fields.begin(), record.fields.end());
      lines.push_back(record.line);
    }
    return rows;
  }

  std::vector<std::size_t> lines;
};

TEST_F(CsvReaderTest, FindsTheSeparator) {
  const Rows expected = {{"a", "b"}, {"1", "2"}};
  for (const char* content : {"a,b\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n", "a , b\n 1,2 \n"})
    EXPECT_EQ(read(content), expected);
  EXPECT_EQ(read("a\n1\n"), (Rows{{"a"}, {"1"}}));
  EXPECT_EQ(read("\"x;y;z\",b\n1,2\n"), (Rows{{"x;y;z", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("a;b;\"c,d,e,f\"\n"), (Rows{{"a", "b", "c,d,e,f"}}));
}

TEST_F(CsvReaderTest, UnderstandsQuotes) {
  EXPECT_EQ(read("a,b\n\"x,\"\"y\"\"\",2\n"), (Rows{{"a", "b"}, {"x,\"y\"", "2"}}));
  EXPECT_EQ(read("a,b\n \"x\" ,\"\"\n"), (Rows{{"a", "b"}, {"x", ""}}));
  EXPECT_EQ(read("a,b\nx\"y,2\n"), (Rows{{"a", "b"}, {"x\"y", "2"}}));
  EXPECT_EQ(read("a\tb\n\"x\ty\"\t\"\"\"\"\n"), (Rows{{"a", "b"}, {"x\ty", "\""}}));
}

TEST_F(CsvReaderTest, FollowsQuotesOverLines) {
  EXPECT_EQ(read("a,b\n\"x\n\n#y\",2\n3,4\n"), (Rows{{"a", "b"}, {"x\n\n#y", "2"}, {"3", "4"}}));
  EXPECT_EQ(lines, (std::vector<std::size_t>{1, 2, 5}));
  EXPECT_EQ(read("a,b\r\n\"x\r\ny\",2\r\n"), (Rows{{"a", "b"}, {"x\r\ny", "2"}}));
}

TEST_F(CsvReaderTest, SkipsBlankAndCommentLines) {
  EXPECT_EQ(read("\xEF\xBB\xBF# head\n\na,b\n  # x,y\n \t \n1,2\n\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(lines, (std::vector<std::size_t>{3, 6}));
}

TEST_F(CsvReaderTest, KeepsEmptyCellsOfTabSeparatedRows) {
  EXPECT_EQ(read("a\tb\n\t\n1\t\n"), (Rows{{"a", "b"}, {"", ""}, {"1", ""}}));
}

TEST_F(CsvReaderTest, NeedsNoLastLineEnd) {
  EXPECT_EQ(read("a,b\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("a,b\r\n1,2\r"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("a,b\n1,"), (Rows{{"a", "b"}, {"1", ""}}));
  EXPECT_EQ(read(""), Rows{});
}

// The first buffer is 256 KiB: lines of odd lengths cross its border at many places, plain and quoted.
TEST_F(CsvReaderTest, ReadsLinesOfAnyLengthAcrossBuffers) {
  for (const std::size_t length : {1u, 7u, 63u, 1021u, 65537u, 262143u, 262144u, 262145u, 600001u}) {
    std::string content = "a,b\n";
    const std::size_t n_rows = 700000 / (length + 3) + 2;
    const std::string text = std::string(length / 2, 'x') + '\n' + std::string(length - length / 2, 'y');
    for (std::size_t i = 0; i < n_rows; ++i)
      content += i % 2 == 0 ? std::string(length, 'z') + ",1\n" : "\"" + text + "\",2\n";
    const Rows rows = read(content);
    ASSERT_EQ(rows.size(), n_rows + 1) << length;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Rows::value_type even = {std::string(length, 'z'), "1"}, odd = {text, "2"};
      ASSERT_TRUE(rows[i + 1] == (i % 2 == 0 ? even : odd)) << length << ", row " << i;
    }
    EXPECT_EQ(lines[2], 3u);
    EXPECT_EQ(lines.back(), 1 + n_rows + (n_rows - 1) / 2);
  }
}

}  // namespace
}  // namespace greybox
