// Downloads: everything or nothing, whatever the server does.
#include "data/download.hpp"

#include <gtest/gtest.h>

#include "data/canned_server.hpp"
#include "support/mentions.hpp"

namespace greybox {
namespace {

using test::expect_mentions;
using test::http_reply;

// What `download` says about an address that it cannot have.
std::string refusal(const std::string& address, const DownloadLimits& limits = {}) {
  try {
    const std::string bytes = download(address, limits);
    ADD_FAILURE() << "downloaded " << bytes.size() << " bytes";
  } catch (const DownloadError& error) {
    EXPECT_NE(std::string(error.what()).find(address), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

class DownloadTest : public ::testing::Test {
 protected:
  test::CannedServer server_;
};

TEST_F(DownloadTest, GivesAllBytes) {
  std::string content(300'000, 'x');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * i);
  server_.answer("/file", http_reply(content));
  EXPECT_EQ(download(server_.address("/file")), content);
}

TEST_F(DownloadTest, GivesAnEmptyFile) {
  server_.answer("/file", http_reply(""));
  EXPECT_EQ(download(server_.address("/file")), "");
}

TEST_F(DownloadTest, FollowsRedirections) {
  server_.answer(
      "/old", "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /new\r\nContent-Length: 4\r\n\r\nmove");
  server_.answer("/new", http_reply("here"));
  EXPECT_EQ(download(server_.address("/old")), "here");
}

TEST_F(DownloadTest, DoesNotRunInCircles) {
  server_.answer("/a",
                 "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n");
  expect_mentions(refusal(server_.address("/a")), "redirect");
}

TEST_F(DownloadTest, ErrorPagesAreNotContent) {
  server_.answer("/file", http_reply("an apology", "503 Service Unavailable"));
  expect_mentions(refusal(server_.address("/file")), "503");
  expect_mentions(refusal(server_.address("/elsewhere")), "404");
}

TEST_F(DownloadTest, ATruncatedFileIsNone) {
  server_.answer("/file", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nonly this");
  expect_mentions(refusal(server_.address("/file")), "91 bytes");
}

TEST_F(DownloadTest, GivesUpOnAStalledServer) {
  server_.answer("/file", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", /*stalls=*/true);
  expect_mentions(refusal(server_.address("/file"), {.stalled = std::chrono::seconds(1)}), "too slow");
}

TEST_F(DownloadTest, GivesUpWhenAllOfItTakesTooLong) {
  server_.answer("/file", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", /*stalls=*/true);
  expect_mentions(refusal(server_.address("/file"), {.total = std::chrono::seconds(1)}), "timed out");
}

TEST_F(DownloadTest, FollowsNoRedirectionToAFile) {
  server_.answer("/file",
                 "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: file:///etc/hostname\r\n"
                 "Content-Length: 0\r\n\r\n");
  expect_mentions(refusal(server_.address("/file")), "file");
}

TEST_F(DownloadTest, RefusesWhatIsTooLarge) {
  server_.answer("/file", http_reply("eleven byte"));
  expect_mentions(refusal(server_.address("/file"), {.size = 10}), "larger than expected");
  EXPECT_EQ(download(server_.address("/file"), {.size = 11}), "eleven byte");
}

TEST(Download, SaysWhenNobodyListens) {
  std::string address;
  {
    const test::CannedServer server;
    address = server.address("/file");
  }
  expect_mentions(refusal(address), "connect");
}

TEST(Download, SaysWhenTheAddressIsNone) {
  expect_mentions(refusal("nonsense://a"), "nonsense");
  expect_mentions(refusal("file:///etc/hostname"), "file");
}

}  // namespace
}  // namespace greybox
