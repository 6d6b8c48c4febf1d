#include "core/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace greybox {
namespace {

// OpenSSL counts in int; whole groups of three bytes can be encoded one piece after another.
constexpr std::size_t kPiece = std::size_t{3} << 20;

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4 + 1);
  for (std::size_t first = 0; first < bytes.size(); first += kPiece) {
    const std::span<const std::byte> piece = bytes.subspan(first, std::min(kPiece, bytes.size() - first));
    const std::size_t before = text.size(), n_letters = (piece.size() + 2) / 3 * 4;
    text.resize(before + n_letters + 1);  // the library ends its text with a zero
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + before),
                    reinterpret_cast<const unsigned char*>(piece.data()), static_cast<int>(piece.size()));
    text.resize(before + n_letters);
  }
  return text;
}

}  // namespace greybox
