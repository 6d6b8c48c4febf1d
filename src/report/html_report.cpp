// Writes the report page: the bundled front end with the data of one run inside.
#include <sstream>
#include <stdexcept>
#include <string_view>

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
  // A stream would not say why it cannot be written.
  std::ostringstream data;
  write_escaped(data, page.data);
  for (std::string_view piece : kPageBeforeData) file.descriptor().write(piece);
  file.descriptor().write(data.view());
  for (std::string_view piece : kPageAfterData) file.descriptor().write(piece);
  file.commit();
}

}  // namespace greybox
