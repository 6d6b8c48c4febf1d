// Writes the report page: the bundled front end with the data of one run inside.
#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "core/atomic_file.hpp"
#include "greybox/report.hpp"
#include "report/escaped_json.hpp"
#include "report/html_page.hpp"

namespace greybox {
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
