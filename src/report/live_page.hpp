// The report page for a server: the same front end, which may ask where it came from, and nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace greybox {

struct LivePage {
  std::string html;
  // Its content security policy, for the header of the answer too.
  std::string policy;
};

// With the data of one run inside. Throws std::runtime_error when the library was built without the page.
LivePage live_page(std::string_view json);

}  // namespace greybox
