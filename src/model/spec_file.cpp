// Reads a model file from disk and says what is wrong with a path that leads nowhere.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "core/nearest_name.hpp"
#include "model/spec.hpp"
#include "model/toml_text.hpp"

namespace greybox {

namespace {

namespace fs = std::filesystem;

// Names of the .toml files in a folder; a folder that cannot be listed has none.
std::vector<std::string> model_files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (i->path().extension() == ".toml") names.push_back(i->path().filename().string());
  return names;
}

[[noreturn]] void fail(const fs::path& file, std::string message, std::string help) {
  throw InputError(at(SourceFile{file.string(), {}}, SourceSpan{}, std::move(message), std::move(help)));
}

[[noreturn]] void fail_missing(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const auto near = nearest_name(file.filename().string(), model_files_in(folder));
  fail(file, "there is no such file",
       near ? fmt::format("did you mean `{}`?", (file.parent_path() / *near).string())
            : "check the path of the model file");
}

[[noreturn]] void fail_directory(const fs::path& folder) {
  const std::vector<std::string> names = model_files_in(folder);
  fail(folder, "this is a folder, not a model file",
       names.size() == 1 ? fmt::format("did you mean `{}`?", (folder / names[0]).string())
                         : "name the .toml file in it");
}

}  // namespace

ModelSpec read_model_spec(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) fail_missing(file);
  if (status.type() == fs::file_type::directory) fail_directory(file);
  if (status.type() != fs::file_type::regular && status.type() != fs::file_type::unknown)
    fail(file, "this is a pipe or a device, not a file", "write the model into a file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    fail(file, fmt::format("the file cannot be read: {}", std::strerror(errno)), "check its permissions");
  // One byte more than allowed is enough for the check of the size.
  std::string text(max_model_file_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return parse_model_spec(std::move(text), file.string());
}

}  // namespace greybox
