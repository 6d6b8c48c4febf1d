#include "report/live_page.hpp"

#include <sstream>
#include <stdexcept>

#include "report/escaped_json.hpp"
#include "report/html_page.hpp"

namespace greybox {
namespace {

constexpr std::string_view kPolicyBegin = "content=\"default-src 'none'";

}  // namespace

LivePage live_page(std::string_view json) {
  if (kPageBeforeData.empty())
    throw std::runtime_error(
        "this build of greybox has no page to explore in; configure it with -DGREYBOX_BUILD_PAGE=ON");
  std::ostringstream out;
  for (std::string_view piece : kPageBeforeData) out << piece;
  write_escaped(out, json);
  for (std::string_view piece : kPageAfterData) out << piece;
  LivePage page{std::move(out).str(), ""};
  const std::size_t found = page.html.find(kPolicyBegin);
  if (found == std::string::npos) throw std::logic_error("the page has no content security policy");
  page.html.insert(found + kPolicyBegin.size(), "; connect-src 'self'");
  const std::size_t begin = page.html.find('"', found) + 1;
  page.policy = page.html.substr(begin, page.html.find('"', begin) - begin) + "; frame-ancestors 'none'";
  return page;
}

}  // namespace greybox
