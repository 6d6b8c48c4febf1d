// The report: everything that a run has to say, as one page that needs nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greybox/landscape.hpp"

namespace greybox {

struct ReportOptions {
  // Empty: all parameters.
  std::vector<VariedParameter> vary{};
  // Expressions beyond those of the model file.
  std::vector<std::string> regularizers{};
  // Of the landscapes; by default the validation windows.
  Selection on{};
  // Of its windows only so many, drawn by `seed`; 0: as many as the page can wait for.
  std::size_t n_windows = 0;
  std::uint64_t seed = 0;
  // Values of parameters that are not varied.
  Theta at{};
  Execution execution{};
};

// What the page shows (docs/report.md describes it), as the JSON text that is put into it.
struct ReportPage {
  std::string data;
  std::vector<std::string> warnings;
};

// Gathers what the run holds (training, estimates, distribution, ledger; bands where networks of other seeds
// were trained for them) and computes what the page needs beside it (predictions, and landscapes and verdicts
// unless the folder holds those of an earlier call on the same weights, which then are shown).
// Throws InputError for the user's mistakes, Interruption when cancelled.
ReportPage make_report(const Run& run, const ReportOptions& options = {});

// Writes the page: one file that asks for nothing from anywhere. A half-written one never replaces a good
// one. Throws std::runtime_error when it cannot be written, and when the library was built without the page.
void write_report(const ReportPage& page, const std::filesystem::path& html_file);

}  // namespace greybox
