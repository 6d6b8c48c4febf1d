// SHA-256 by OpenSSL's libcrypto.
#include "core/checksum.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace greybox {
namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 16U;

void require(int status) {
  if (status != 1) throw std::runtime_error("SHA-256 is not available in this system's libcrypto");
}

EVP_MD_CTX* context_of(void* context) {
  return static_cast<EVP_MD_CTX*>(context);
}

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot read `{}`", file.string()));
}

}  // namespace

void Sha256::Free::operator()(void* context) const {
  EVP_MD_CTX_free(context_of(context));
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(EVP_DigestInit_ex(context_of(context_.get()), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(context_of(context_.get()), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(context_of(context_.get()), bytes.data(), &size));
  std::string digits;
  for (const unsigned char byte : std::span(bytes).first(size)) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digest();
}

std::string sha256_of_descriptor(int descriptor, const std::filesystem::path& file) {
  Sha256 hash;
  std::vector<char> block(kBlockSize);
  for (::off_t offset = 0;;) {
    const ::ssize_t n = ::pread(descriptor, block.data(), block.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(file);
    if (n == 0) return hash.digest();
    hash.add({block.data(), static_cast<std::size_t>(n)});
    offset += n;
  }
}

std::string sha256_of_numbers(std::span<const double> values) {
  return sha256({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

std::string sha256_of_file(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(file);
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } const close{descriptor};
  return sha256_of_descriptor(descriptor, file);
}

}  // namespace greybox
