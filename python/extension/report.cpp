// The report page.
#include <greybox/report.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"

namespace greybox::python {

template <>
struct Fields<ReportOptions> {
  using R = ReportOptions;
  static constexpr auto list = std::tuple{Field{"vary", &R::vary}, Field{"regularizers", &R::regularizers},
                                          Field{"on", &R::on},     Field{"n_windows", &R::n_windows},
                                          Field{"seed", &R::seed}, Field{"at", &R::at}};
};

void bind_report(nb::module_& module) {
  module.def("report", [](const Run& run, const std::filesystem::path& file, const nb::dict& fields,
                          const Control& control) {
    auto options = from_python<ReportOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      const ReportPage page = make_report(run, options);
      write_report(page, file);
      return page.warnings;
    });
  });
}

}  // namespace greybox::python
