// The published data sets on the web: where their files are, downloaded and verified.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/converters.hpp"

namespace greybox {

// Files of a data set and the public home they are downloaded from.
struct PublishedSet {
  std::span<const DataSource> sources;
  std::string_view page;     // for people
  std::string_view folder;   // address to which a file's name is appended; empty: see `listing`
  std::string_view listing;  // address of figshare's list of the files (JSON), which says where each one is
};

PublishedSet published_pendulum();
PublishedSet published_predator_prey();

struct DownloadedFile {
  std::string_view name;
  std::string bytes;
};

// All files of a set, in the order of its sources. Throws DownloadError, with a way out, when one cannot be
// had, and InputError when one is not the published file. A `mirror` is the address of a folder that holds
// the files by name.
std::vector<DownloadedFile> download_published(const PublishedSet& set, const std::string& mirror = "");

}  // namespace greybox
