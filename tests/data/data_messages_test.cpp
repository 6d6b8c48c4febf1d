// Golden messages about data files.
#include "cases/golden_cases.hpp"
#include "greybox/error.hpp"
#include "greybox/table.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

std::string data_message(const std::filesystem::path& file) {
  try {
    Table::read(file);
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string folder = file.parent_path().string() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }
  ADD_FAILURE() << file << " was accepted";
  return "";
}

TEST(DataMessages, GoldenCases) {
  const std::filesystem::path folder = std::filesystem::path(kSourceFolder) / "tests/cases/data";
  ASSERT_GE(case_files(folder, ".csv").size(), 10U);
  expect_golden_cases(folder, data_message, ".csv");
}

}  // namespace
}  // namespace greybox::test
