// The folder of a reproduction: its record, its model and its data.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "greybox/data.hpp"
#include "greybox/reproduce.hpp"

namespace greybox {

inline constexpr std::string_view kPublished = "published";
inline constexpr std::string_view kStandIn = "simulated stand-in";
inline constexpr std::string_view kMade = "made";

class ReproduceFolder {
 public:
  // Opens the folder or makes it. Throws InputError when it holds something else, or the reproduction of
  // other options.
  explicit ReproduceFolder(const ReproduceOptions& options);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path model() const { return path_ / (name_ + ".toml"); }
  std::filesystem::path data() const;
  std::filesystem::path run() const { return path_ / "run"; }
  std::filesystem::path comparison() const { return path_ / "compare"; }
  std::filesystem::path landscape(const std::string& name) const;

  void write_model(std::string_view text) const;
  // Data that an earlier call made are kept. Published data that cannot be downloaded are replaced by a
  // stand-in; the warning says so.
  struct Source {
    std::string kind;  // kPublished, kStandIn or kMade
    std::string warning;
  };
  Source make_data(DataOptions request, const ReproduceOptions& options) const;

 private:
  std::string name_;
  std::filesystem::path path_;
};

// The text of a model file with `key = value` in place of what [section] says of the key.
std::string with_setting(std::string text, const std::string& section, const std::string& key,
                         const std::string& value);

}  // namespace greybox
