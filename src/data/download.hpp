// Files from the web.
#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace greybox {

// The server cannot be reached, refuses, or breaks off; the message has the address and the reason.
class DownloadError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct DownloadLimits {
  std::chrono::seconds connecting{20};
  std::chrono::seconds stalled{30};  // without a byte
  std::chrono::seconds total{600};
  std::size_t size = std::size_t{64} << 20U;
};

// All of what an address holds, by https, or by http where the address itself says so; redirections are
// followed, never from https to http. Throws DownloadError rather than give a part of it.
std::string download(const std::string& address, const DownloadLimits& limits = {});

}  // namespace greybox
