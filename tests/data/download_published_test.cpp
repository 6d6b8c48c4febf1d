// Published sets on a server of our own: found by folder, by figshare's list or on a mirror, and always
// verified.
#include "data/download_published.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "core/checksum.hpp"
#include "data/canned_server.hpp"
#include "data/download.hpp"
#include "greybox/error.hpp"
#include "support/mentions.hpp"

namespace greybox {
namespace {

using test::expect_mentions;
using test::http_reply;

class DownloadPublishedTest : public ::testing::Test {
 protected:
  PublishedSet in_folder(const std::string& folder) const {
    return {.sources = sources_, .page = "https://example.org/page", .folder = folder, .listing = ""};
  }
  PublishedSet in_listing() const {
    return {.sources = sources_, .page = "https://example.org/page", .folder = "", .listing = listing_};
  }
  // What figshare says, with other keys and another file as it has them.
  std::string list_of(const std::vector<std::pair<std::string, std::string>>& files) const {
    std::string list = R"([{"id": 1, "name": "README", "size": 3, "download_url": "http://127.0.0.1/none"})";
    for (const auto& [name, path] : files)
      list +=
          fmt::format(R"(, {{"id": 2, "name": "{}", "download_url": "{}"}})", name, server_.address(path));
    return list + "]";
  }
  std::string refusal(const PublishedSet& set, const std::string& mirror = "") const {
    try {
      download_published(set, mirror);
      ADD_FAILURE() << "nothing was refused";
    } catch (const DownloadError& error) {
      return error.what();
    }
    return "";
  }

  const std::string a_ = "content of a", b_ = "content of b", sum_a_ = sha256(a_), sum_b_ = sha256(b_);
  const std::array<DataSource, 2> sources_ = {DataSource{"a.csv", sum_a_}, DataSource{"b.csv", sum_b_}};
  test::CannedServer server_;
  const std::string listing_ = server_.address("/files?page_size=100");
};

void expect_both(const std::vector<DownloadedFile>& files) {
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "a.csv");
  EXPECT_EQ(files[0].bytes, "content of a");
  EXPECT_EQ(files[1].bytes, "content of b");
}

TEST_F(DownloadPublishedTest, FromAFolder) {
  server_.answer("/home/a.csv", http_reply(a_));
  server_.answer("/home/b.csv", http_reply(b_));
  expect_both(download_published(in_folder(server_.address("/home"))));
  expect_both(download_published(in_folder(server_.address("/home/"))));
}

TEST_F(DownloadPublishedTest, FromAMirrorInsteadOfItsHome) {
  server_.answer("/mirror/a.csv", http_reply(a_));
  server_.answer("/mirror/b.csv", http_reply(b_));
  expect_both(download_published(in_listing(), server_.address("/mirror")));
  expect_both(download_published(in_folder(server_.address("/home")), server_.address("/mirror")));
}

TEST_F(DownloadPublishedTest, FromWhereTheListSays) {
  server_.answer("/files?page_size=100", http_reply(list_of({{"b.csv", "/files/7"}, {"a.csv", "/files/8"}})));
  server_.answer("/files/7", http_reply(b_));
  server_.answer("/files/8", http_reply(a_));
  expect_both(download_published(in_listing()));
}

TEST_F(DownloadPublishedTest, SaysWhichFileTheListLacks) {
  server_.answer("/files?page_size=100", http_reply(list_of({{"a.csv", "/files/8"}})));
  server_.answer("/files/8", http_reply(a_));
  const std::string message = refusal(in_listing());
  expect_mentions(message, listing_ + " does not say where b.csv is");
  expect_mentions(message, "https://example.org/page");
}

TEST_F(DownloadPublishedTest, RefusesAListThatIsNone) {
  for (const char* reply : {"", "<html>", "{\"message\": \"no\"}", "[1, {\"name\": 2}, null]"}) {
    server_.answer("/files?page_size=100", http_reply(reply));
    expect_mentions(refusal(in_listing()), listing_);
  }
}

TEST_F(DownloadPublishedTest, SaysWhatToDoWithoutANetwork) {
  const std::string message = refusal(in_folder(server_.address("/empty")));
  expect_mentions(message, server_.address("/empty/a.csv"));
  expect_mentions(message, "download a.csv … b.csv by hand from https://example.org/page");
  expect_mentions(message, "option `from`");
}

TEST_F(DownloadPublishedTest, RefusesOtherContent) {
  server_.answer("/home/a.csv", http_reply(a_));
  server_.answer("/home/b.csv", http_reply("content of c"));
  try {
    download_published(in_folder(server_.address("/home")));
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().front().file, server_.address("/home/b.csv"));
    expect_mentions(error.what(), sum_b_);
  }
}

}  // namespace
}  // namespace greybox
