// Shows a file or an address in the browser.
#pragma once

#include <filesystem>
#include <string>

namespace greybox::apps {

// By the desktop's own command; false where there is none or it fails.
bool open_page(const std::filesystem::path& file);
// The same for an address.
bool open_address(const std::string& address);

}  // namespace greybox::apps
