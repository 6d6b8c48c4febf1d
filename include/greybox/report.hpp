// `greybox report`: everything that a run has to say, as one page that needs nothing else.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "greybox/landscape.hpp"

namespace greybox {

struct ReportOptions {
  std::filesystem::path run;
  std::vector<VariedParameter> vary;      // empty: all parameters
  std::vector<std::string> regularizers;  // expressions beyond those of the model file
  std::string split;                      // of the landscapes
  std::size_t sample = 0;                 // of its windows only so many; 0: as many as the page can wait for
  std::map<std::string, double> at;       // values of parameters that are not varied
  std::size_t n_threads = 0;
  std::function<void(std::size_t, std::size_t)> progress;  // (done, all), in pairs of θ and window
};

struct ReportData {
  std::string json;  // what the page shows
  std::vector<std::string> warnings;
};

// Gathers what the run folder holds (training, estimates, distribution, ledger; bands where networks of other
// seeds were trained for them) and computes what the page
// needs beside it (landscapes, verdicts, predictions). Throws InputError for the user's mistakes.
ReportData gather_report(const ReportOptions& options);

// Writes the page with these data in it (docs/report.md describes them): one file that asks for nothing from
// anywhere. A half-written one never replaces a good one. Throws std::runtime_error when it cannot be
// written, and when the library was built without the page.
void write_report(const std::string& json, const std::filesystem::path& html_file);

}  // namespace greybox
