// `greybox report`: one self-contained page about a run.
#pragma once

#include <filesystem>
#include <string>

namespace greybox {

// Puts the data of a report (docs/report.md describes the JSON) into the bundled page and writes it; a
// half-written file never replaces a good one. Throws std::runtime_error when the file cannot be written, and
// when the library was built without the page.
void write_report(const std::string& report_json, const std::filesystem::path& html_file);

}  // namespace greybox
