#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "greybox/report.hpp"
#include "report/html_page.hpp"

namespace greybox::test {
namespace {

constexpr std::string_view kBegin = R"(<script type="application/json" id="report-data">)";
constexpr std::string_view kEnd = "</script>";

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    if (kPageBeforeData.empty()) GTEST_SKIP() << "this build has no report page (GREYBOX_BUILD_PAGE)";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string written(const std::string& json) const {
    write_report({.data = json, .warnings = {}}, file_);
    std::ifstream stream(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "greybox-html-report";
  const std::filesystem::path file_ = folder_ / "report.html";
};

TEST_F(HtmlReport, CarriesTheDataUnchanged) {
  const nlohmann::json data = {{"title", "a < b & \"c\""},
                               {"text", "</script><!-- <script> \u2028"},
                               {"list", {1.5, nullptr, -2e-300}}};
  const std::string html = written(data.dump());
  const std::size_t begin = html.find(kBegin) + kBegin.size();
  ASSERT_NE(html.find(kBegin), std::string::npos);
  const std::string inside = html.substr(begin, html.find(kEnd, begin) - begin);
  EXPECT_EQ(nlohmann::json::parse(inside), data);
  EXPECT_EQ(inside.find('<'), std::string::npos);
}

TEST_F(HtmlReport, IsOnePageThatLoadsNothing) {
  const std::string html = written("{}");
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
}

TEST_F(HtmlReport, LeavesAGoodFileAloneWhenItCannotWrite) {
  written("{}");
  const std::filesystem::path missing = folder_ / "missing" / "report.html";
  EXPECT_THROW(write_report({.data = "{}", .warnings = {}}, missing), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(missing));
  EXPECT_TRUE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace greybox::test
