// What a reproduction found, as a table and as a page to read.
#include <fmt/format.h>

#include <cmath>

#include "core/atomic_file.hpp"
#include "data/csv_writer.hpp"
#include "greybox/counted.hpp"
#include "greybox/reproduce.hpp"

namespace greybox {
namespace {

std::string rule_of(const ComparedNumber& finding) {
  if (!is_judged(finding)) return "";
  if (!std::isfinite(finding.high)) return fmt::format("≥ {:.4g}", finding.low);
  if (!std::isfinite(finding.low)) return fmt::format("≤ {:.4g}", finding.high);
  return fmt::format("{:.4g} … {:.4g}", finding.low, finding.high);
}

std::string verdict_of(const ComparedNumber& finding) {
  return !is_judged(finding) ? "" : agrees(finding) ? "yes" : "no";
}

// What every row of a table says of its making.
class Provenance {
 public:
  Provenance(const ReproduceReport& report, std::size_t n_rows)
      : name_(n_rows, report.name),
        data_(n_rows, report.data),
        settings_(n_rows, report.settings),
        seed_(n_rows, fmt::format("{}", report.seed)),
        version_(n_rows, report.version),
        machine_(n_rows, report.machine) {}

  std::vector<CsvColumn> around(std::vector<CsvColumn> columns) const {
    columns.insert(columns.begin(), {"experiment", name_});
    columns.insert(columns.end(), {{"data", data_},
                                   {"settings", settings_},
                                   {"seed", seed_},
                                   {"version", version_},
                                   {"machine", machine_}});
    return columns;
  }

 private:
  std::vector<std::string> name_, data_, settings_, seed_, version_, machine_;
};

void write_table(const ReproduceReport& report, const std::filesystem::path& file) {
  std::vector<double> ours;
  std::vector<std::string> quantity, theirs, rule, verdict;
  for (const ComparedNumber& finding : report.findings) {
    quantity.push_back(finding.quantity);
    ours.push_back(finding.ours);
    theirs.push_back(finding.theirs);
    rule.push_back(rule_of(finding));
    verdict.push_back(verdict_of(finding));
  }
  const Provenance provenance(report, ours.size());
  write_csv(file, provenance.around({{"quantity", quantity},
                                     {"ours", ours},
                                     {"paper_or_authors", theirs},
                                     {"agrees_if", rule},
                                     {"agrees", verdict}}));
}

void write_verdicts(const ReproduceReport& report, const std::filesystem::path& file) {
  std::vector<std::string> where, networks, parameter, regularizer, finding, sentence;
  std::vector<double> lowest, from, to;
  for (const ReproducedVerdicts& judged : report.verdicts)
    for (const Verdict& verdict : judged.verdicts.verdicts) {
      where.push_back(judged.where);
      networks.push_back(fmt::format("{}", judged.n_networks));
      parameter.push_back(verdict.parameter);
      regularizer.push_back(verdict.regularizer);
      finding.emplace_back(name_of(verdict.finding));
      lowest.push_back(verdict.best);
      from.push_back(verdict.interval.first);
      to.push_back(verdict.interval.second);
      sentence.push_back(verdict.sentence);
    }
  const Provenance provenance(report, where.size());
  write_csv(file, provenance.around({{"where", where},
                                     {"networks", networks},
                                     {"parameter", parameter},
                                     {"regularizer", regularizer},
                                     {"finding", finding},
                                     {"lowest_at", lowest},
                                     {"from", from},
                                     {"to", to},
                                     {"sentence", sentence}}));
}

std::string trust_of(const ReproducedVerdicts& judged) {
  std::string text = fmt::format(
      "\n## What can be trusted\n\nOn {}, over {}.\n\n| parameter | regularizer | finding | |\n"
      "|---|---|---|---|\n",
      judged.where, counted(judged.n_networks, "network"));
  for (const Verdict& verdict : judged.verdicts.verdicts)
    text += fmt::format("| {} | {} | {} | {} |\n", verdict.parameter, verdict.regularizer,
                        name_of(verdict.finding), verdict.sentence);
  for (const FlatCombination& combination : judged.verdicts.combinations)
    text += fmt::format("\n{}\n", combination.sentence);
  return text;
}

std::string summary_of(const ReproduceReport& report, const std::vector<std::filesystem::path>& figures) {
  std::string text = fmt::format(
      "# {}, reproduced\n\nData: {}. Settings: {}. Seed {}, greybox {}, {}.\n\n"
      "| quantity | ours | paper or authors | agrees if | agrees |\n|---|---|---|---|---|\n",
      report.name, report.data, report.settings, report.seed, report.version, report.machine);
  for (const ComparedNumber& finding : report.findings)
    text += fmt::format("| {} | {:.4g} | {} | {} | {} |\n", finding.quantity, finding.ours, finding.theirs,
                        rule_of(finding), verdict_of(finding));
  for (const ReproducedVerdicts& judged : report.verdicts) text += trust_of(judged);
  for (const std::filesystem::path& figure : figures)
    if (figure.extension() == ".png")
      text += fmt::format("\n![{0}]({1})\n", figure.stem().string(), figure.filename().string());
  for (const std::string& warning : report.warnings) text += fmt::format("\nWarning: {}\n", warning);
  return text;
}

}  // namespace

std::vector<std::filesystem::path> write_reproduction(const ReproduceReport& report,
                                                      const std::vector<std::filesystem::path>& figures) {
  const std::filesystem::path table = report.folder / "table.csv", summary = report.folder / "summary.md";
  write_table(report, table);
  write_file_atomically(summary, summary_of(report, figures));
  if (report.verdicts.empty()) return {table, summary};
  const std::filesystem::path verdicts = report.folder / "verdicts.csv";
  write_verdicts(report, verdicts);
  return {table, verdicts, summary};
}

}  // namespace greybox
