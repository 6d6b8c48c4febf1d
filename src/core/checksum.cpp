// SHA-256 by OpenSSL's libcrypto.
#include "core/checksum.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
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

class Digest {
 public:
  Digest() { require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }

  void add(std::string_view bytes) { require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    require(EVP_DigestFinal_ex(context_.get(), bytes.data(), &size));
    std::string digits;
    for (const unsigned char byte : std::span(bytes).first(size)) digits += fmt::format("{:02x}", byte);
    return digits;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

struct Close {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot read `{}`", file.string()));
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.hexadecimal();
}

std::string sha256_of_numbers(std::span<const double> values) {
  return sha256({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

std::string sha256_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, Close> stream(std::fopen(file.c_str(), "rb"));
  if (!stream) fail(file);
  Digest digest;
  std::vector<char> block(kBlockSize);
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), stream.get()))
    digest.add({block.data(), n});
  if (std::ferror(stream.get()) != 0) fail(file);
  return digest.hexadecimal();
}

}  // namespace greybox
