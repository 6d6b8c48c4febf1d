// New landscapes for the report page.
#include "analysis/page/report_parts.hpp"

namespace greybox {

// In single precision, as the network was trained and as the page reads the numbers.
Json report_grids(const OpenedRun& run, const Networks& networks, const ReportGridRequest& request) {
  const std::vector<GridScan> scans =
      scan_grids(run, networks, request.windows, request.grids, run.loaded.spec->regularizers.size(),
                 {.single_precision = true, .execution = request.execution});
  Json list = Json::array();
  for (std::size_t g = 0; g < request.grids.size(); ++g)
    list.push_back(
        page_grid(run, networks, request.windows, request.grids[g], scans[g].values, request.terms));
  return list;
}

}  // namespace greybox
