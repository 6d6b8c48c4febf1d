// The head of the page: title, what the verdicts say in one sentence, warnings.
import { h } from "../dom";
import { list } from "../format";
import type { Report, Verdict } from "../report";

function parameterClause(parameter: string, verdicts: Verdict[]): string {
  const names = verdicts
    .filter((verdict) => verdict.finding === "identifiable")
    .map(({ regularizer }) => regularizer);
  if (names.length === 0) return `${parameter} under none of ${verdicts.length} candidates`;
  if (names.length === verdicts.length && names.length > 1)
    return `${parameter} under all ${names.length} candidates`;
  return `${parameter} under ${list(names)}`;
}

/** "a is identifiable under normD; c under none of 3 candidates." */
export function verdictSummary(verdicts: Verdict[]): string {
  const parameters = [...new Set(verdicts.map(({ parameter }) => parameter))];
  if (parameters.length === 0) return "";
  const clauses = parameters.map((parameter) =>
    parameterClause(
      parameter,
      verdicts.filter((verdict) => verdict.parameter === parameter),
    ),
  );
  return `Identifiable: ${clauses.join("; ")}.`;
}

function warnings(report: Report): HTMLElement | null {
  const texts = report.warnings ?? [];
  if (texts.length === 0) return null;
  const title = texts.length === 1 ? "Warning" : `${texts.length} warnings`;
  return h(
    "div",
    { class: "warnings", role: "note", "aria-label": title },
    h("strong", {}, title),
    h("ul", {}, ...texts.map((text) => h("li", {}, text))),
  );
}

export function pageHeader(report: Report): HTMLElement {
  const made = new Date(report.made);
  const day = Number.isNaN(made.getTime())
    ? report.made
    : made.toLocaleDateString("en-GB", { dateStyle: "long" });
  const summary = verdictSummary(report.verdicts ?? []);
  return h(
    "header",
    { class: "page-header" },
    h("p", { class: "kicker" }, "Report of a grey-box model"),
    h("h1", {}, report.title),
    report.model.about ? h("p", { class: "about" }, report.model.about) : null,
    summary ? h("p", { class: "summary" }, summary) : null,
    warnings(report),
    h("p", { class: "made" }, `greybox ${report.version} · ${day}`),
  );
}
