// Writes the report page: the bundled front end with the data of one run inside.
#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "core/atomic_file.hpp"
#include "greybox/report.hpp"
#include "report/html_page.hpp"

namespace greybox {
namespace {

// In JSON a `<` stands only inside strings, where it may be escaped: then no content can end the script
// element, and none can open a comment in it.
void write_escaped(std::ostream& out, std::string_view json) {
  for (std::size_t bracket; (bracket = json.find('<')) != std::string_view::npos;) {
    out << json.substr(0, bracket) << "\\u003c";
    json.remove_prefix(bracket + 1);
  }
  out << json;
}

}  // namespace

void write_report(const ReportPage& page, const std::filesystem::path& html_file) {
  if (kPageBeforeData.empty())
    throw std::runtime_error(
        "this build of greybox has no report page; configure it with -DGREYBOX_BUILD_PAGE=ON");
  AtomicFile file(html_file);
  std::ofstream out(file.temporary(), std::ios::binary);
  for (std::string_view piece : kPageBeforeData) out << piece;
  write_escaped(out, page.data);
  for (std::string_view piece : kPageAfterData) out << piece;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write `{}`", html_file.string()));
  file.commit();
}

}  // namespace greybox
