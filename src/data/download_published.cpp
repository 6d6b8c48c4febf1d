#include "data/download_published.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/checksum.hpp"
#include "data/download.hpp"
#include "data/mistakes.hpp"

namespace greybox {
namespace {

using Addresses = std::map<std::string, std::string, std::less<>>;

// figshare's list of files: [{"name": …, "download_url": …, …}, …].
Addresses listed_addresses(const std::string& listing) {
  const auto files = nlohmann::json::parse(download(listing), nullptr, /*allow_exceptions=*/false);
  Addresses addresses;
  if (!files.is_array()) throw DownloadError(fmt::format("{} is not a list of files", listing));
  for (const auto& file : files) {
    if (!file.is_object()) continue;
    const auto text = [&](const char* key) {
      return file.contains(key) && file[key].is_string() ? file[key].get<std::string>() : "";
    };
    addresses.emplace(text("name"), text("download_url"));
  }
  return addresses;
}

std::string in_folder(std::string_view folder, std::string_view name) {
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

// Where each source is.
std::vector<std::string> addresses_of(const PublishedSet& set, std::string_view mirror) {
  std::vector<std::string> addresses;
  const std::string_view folder = mirror.empty() ? set.folder : mirror;
  if (!folder.empty()) {
    for (const DataSource& source : set.sources) addresses.push_back(in_folder(folder, source.name));
    return addresses;
  }
  const Addresses listed = listed_addresses(std::string(set.listing));
  for (const DataSource& source : set.sources) {
    const auto found = listed.find(source.name);
    if (found == listed.end() || found->second.empty())
      throw DownloadError(fmt::format("{} does not say where {} is", set.listing, source.name));
    addresses.push_back(found->second);
  }
  return addresses;
}

void verify(const std::string& bytes, const std::string& address, const DataSource& source) {
  const std::string sum = sha256(bytes);
  if (sum == source.sha256) return;
  Place{address, ""}.refuse(
      fmt::format("not the published file: its SHA-256 is {} and should be {}", sum, source.sha256),
      "try again later, or from another place with option `mirror`");
}

}  // namespace

PublishedSet published_pendulum() {
  return {.sources = pendulum_sources(),
          .page =
              "https://github.com/Stable-Baselines-Team/stable-baselines/tree/"
              "f877c85b6e45084da1d8ccf73e7e730dc2001c3f/stable_baselines/gail/dataset",
          .folder =
              "https://raw.githubusercontent.com/Stable-Baselines-Team/stable-baselines/"
              "f877c85b6e45084da1d8ccf73e7e730dc2001c3f/stable_baselines/gail/dataset",
          .listing = ""};
}

PublishedSet published_predator_prey() {
  return {.sources = predator_prey_sources(),
          .page = "https://doi.org/10.6084/m9.figshare.10045976.v1",
          .folder = "",
          .listing = "https://api.figshare.com/v2/articles/10045976/files?page_size=100"};
}

std::vector<DownloadedFile> download_published(const PublishedSet& set, const std::string& mirror) try {
  const std::vector<std::string> addresses = addresses_of(set, mirror);
  std::vector<DownloadedFile> files;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const DataSource& source = set.sources[i];
    files.push_back({source.name, download(addresses[i])});
    verify(files.back().bytes, addresses[i], source);
  }
  return files;
} catch (const DownloadError& error) {
  const std::string_view first = set.sources.front().name, last = set.sources.back().name;
  throw DownloadError(
      fmt::format("{}\n  help: download {} by hand from {} and say where with option `from`", error.what(),
                  first == last ? std::string(first) : fmt::format("{} … {}", first, last), set.page));
}

}  // namespace greybox
