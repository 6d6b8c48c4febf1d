// Downloads by libcurl, into memory: what breaks off leaves nothing behind.
#include "data/download.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>

#include "greybox/version.hpp"

namespace greybox {
namespace {

constexpr long kMostRedirections = 5;

struct Cleanup {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, Cleanup>;

Handle make_handle() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(ready == CURLE_OK ? curl_easy_init() : nullptr);
  if (!handle) throw std::runtime_error("libcurl cannot be started");
  return handle;
}

struct Body {
  std::string bytes;
  std::size_t most;
  bool is_too_large = false;
};

// Called by libcurl; taking fewer bytes than offered ends the transfer.
std::size_t receive(const char* bytes, std::size_t, std::size_t n_bytes, void* target) {
  Body& body = *static_cast<Body*>(target);
  body.is_too_large = n_bytes > body.most - body.bytes.size();
  if (body.is_too_large) return 0;
  body.bytes.append(bytes, n_bytes);
  return n_bytes;
}

void set_limits(CURL* handle, const DownloadLimits& limits) {
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(limits.connecting.count()));
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stalled.count()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT, static_cast<long>(limits.total.count()));
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kMostRedirections);
}

// Nothing else that libcurl speaks, such as file:, and no step down to a line that others can read.
void set_protocols(CURL* handle, const std::string& address) {
  const char* allowed = address.starts_with("http://") ? "http,https" : "https";
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, allowed);
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, allowed);
}

}  // namespace

std::string download(const std::string& address, const DownloadLimits& limits) {
  const Handle handle = make_handle();
  Body body{.bytes = {}, .most = limits.size};
  std::array<char, CURL_ERROR_SIZE> reason{};
  const std::string agent = fmt::format("greybox/{}", version());
  curl_easy_setopt(handle.get(), CURLOPT_URL, address.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_USERAGENT, agent.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, reason.data());
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &body);
  set_limits(handle.get(), limits);
  set_protocols(handle.get(), address);
  const CURLcode status = curl_easy_perform(handle.get());
  if (status == CURLE_OK) return std::move(body.bytes);
  const std::string_view why = body.is_too_large   ? "it is larger than expected"
                               : reason[0] != '\0' ? std::string_view(reason.data())
                                                   : curl_easy_strerror(status);
  throw DownloadError(fmt::format("cannot download {}: {}", address, why));
}

}  // namespace greybox
