// The point estimates that were asked of the run.
import { h } from "../dom";
import { inOrder, number, parameterNames } from "../format";
import type { Estimate, Report } from "../report";
import { section, type Section, table } from "./section";

/** Of one estimate for all windows, θ; of one for each window, the mean over the windows. */
function valuesOf({ theta, theta_mean: means }: Estimate): Record<string, number> {
  return theta ?? means ?? {};
}

function thetaCell(estimate: Estimate, name: string): HTMLElement | string {
  const { theta_sd: sd, at_bounds: bounds = [] } = estimate;
  const found = valuesOf(estimate)[name];
  if (found === undefined) return "–";
  const value = sd && name in sd ? `${number(found)} ± ${number(sd[name])}` : number(found);
  return bounds.includes(name)
    ? h("span", {}, value, " ", h("em", { class: "bound" }, "at its bound"))
    : value;
}

function warningsOf(estimates: Estimate[]): HTMLElement | null {
  const texts = [...new Set(estimates.flatMap(({ warnings = [] }) => warnings))];
  if (texts.length === 0) return null;
  return h("ul", { class: "notes" }, ...texts.map((text) => h("li", {}, text)));
}

const percent = (value: number) => `${number(Number((100 * value).toPrecision(3)))} %`;

/** A pooled error hides a variable of small numbers: each has its own. */
function outputsCell({ outputs = {} }: Estimate): string {
  const texts = Object.entries(outputs).map(([name, { rmse, nrmse, r2 }]) => {
    const parts = [
      typeof rmse === "number" ? `RMSE ${number(Number(rmse.toPrecision(3)))}` : null,
      typeof nrmse === "number" ? `NRMSE ${percent(nrmse)}` : null,
      typeof r2 === "number" ? `R² ${number(Number(r2.toPrecision(3)))}` : null,
    ];
    return `${name}: ${parts.filter((part) => part !== null).join(", ")}`;
  });
  return texts.length > 0 ? texts.join("; ") : "–";
}

export function estimatesSection(report: Report): Section | null {
  const { estimates = [] } = report;
  if (estimates.length === 0) return null;
  const found = [...new Set(estimates.flatMap((one) => Object.keys(valuesOf(one))))];
  const names = inOrder(found, parameterNames(report));
  const rows = estimates.map((one) => [
    one.regularizer,
    one.method,
    one.on,
    ...names.map((name) => thetaCell(one, name)),
    number(one.R),
    typeof one.nrmse === "number" ? percent(one.nrmse) : "–",
    outputsCell(one),
  ]);
  return section(
    "estimates",
    "Estimates",
    "Where each regularizer is lowest. An estimate is worth as much as its verdict above.",
    table("Estimates", ["Regularizer", "Method", "On", ...names, "R", "NRMSE", "Each output"], rows),
    warningsOf(estimates),
  );
}
