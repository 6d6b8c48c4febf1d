// Archives made by hand, sound or not, for the reader's tests.
#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace greybox::test {

// A .npy file of version 1.0 with any text as its header and any bytes as its data.
inline std::string raw_npy(const std::string& header, const std::string& data) {
  std::string npy("\x93NUMPY\x01\x00", 8);
  npy += static_cast<char>(header.size() & 0xFF);
  npy += static_cast<char>(header.size() >> 8);
  return npy + header + data;
}

inline std::string npy_header(const std::string& type, const std::string& shape,
                              bool is_fortran_order = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (is_fortran_order ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string doubles_npy(const std::string& shape, const std::vector<double>& values) {
  return raw_npy(npy_header("<f8", shape), raw_bytes(values));
}

using RawEntries = std::vector<std::pair<std::string, std::string>>;  // entry name, content

inline void write_zip(const std::filesystem::path& file, const RawEntries& entries,
                      zip_int32_t method = ZIP_CM_STORE) {
  int code = 0;
  zip_t* archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  ASSERT_NE(archive, nullptr);
  for (const auto& [name, content] : entries) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index =
        static_cast<zip_uint64_t>(zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8));
    ASSERT_EQ(zip_set_file_compression(archive, index, method, 0), 0);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

}  // namespace greybox::test
