// The landscapes: what each candidate regularizer says about the parameters.
import { h } from "../dom";
import { counted } from "../format";
import { Explorer } from "../landscape/explorer";
import type { Report } from "../report";
import { section, type Section, table } from "./section";

export function landscapeSection(report: Report): Section | null {
  const grid = report.grids?.[0];
  if (!grid) return null;
  const regularizers = report.regularizers ?? [];
  const lead =
    "What each candidate says about the parameters, " +
    `computed on ${counted(grid.windows, "window")} of the ${grid.split} data. ` +
    "Dark is low; the red disc marks the lowest point, white discs further minima. " +
    "Where the picture is hatched, θ does not fit the data and R means little; discs keep to θ that fit.";
  return section(
    "landscape",
    "Landscapes",
    lead,
    new Explorer(report).element,
    h("h3", {}, "Candidates"),
    table(
      "Candidate regularizers",
      ["Name", "Definition"],
      regularizers.map(({ name, expression }) => [name, h("code", {}, expression)]),
    ),
  );
}
