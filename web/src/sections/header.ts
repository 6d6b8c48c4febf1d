// The head of the page: title, what the verdicts say in one sentence, warnings.
import { h } from "../dom";
import { list, withMinus } from "../format";
import type { Combination, Report, Verdict } from "../report";

const byData = "determined by the data";

function parameterClause(parameter: string, verdicts: Verdict[]): string {
  if (verdicts.some(({ finding }) => finding === byData)) return `${parameter} by the data alone`;
  // Disagreements are about several candidates and not one of them.
  const candidates = verdicts.filter(({ finding }) => finding !== "disagree");
  const names = candidates
    .filter(({ finding }) => finding === "identifiable")
    .map(({ regularizer }) => regularizer);
  if (names.length === 0)
    return candidates.length === 1
      ? `${parameter} under no candidate`
      : `${parameter} under none of ${candidates.length} candidates`;
  const isAll = names.length === candidates.length && names.length > 1;
  const clause = isAll
    ? `${parameter} under all ${names.length} candidates`
    : `${parameter} under ${list(names)}`;
  return candidates.length < verdicts.length ? `${clause}, which exclude each other’s values` : clause;
}

function combinationClauses(combinations: Combination[]): string {
  const texts = [...new Set(combinations.map(({ text }) => text))];
  const clauses = texts.map((text) => {
    const names = combinations.filter((one) => one.text === text).map(({ regularizer }) => regularizer);
    return `${text} under ${list([...new Set(names)])}`;
  });
  return clauses.length > 0 ? ` Determined only together: ${clauses.join("; ")}.` : "";
}

/** "Identifiable: a under normD; c under none of 3 candidates. Determined only together: …" */
export function verdictSummary(verdicts: Verdict[], combinations: Combination[] = []): string {
  const parameters = [...new Set(verdicts.map(({ parameter }) => parameter))];
  if (parameters.length === 0) return "";
  const of = (parameter: string) => verdicts.filter((verdict) => verdict.parameter === parameter);
  const isJudged = (parameter: string) => of(parameter).some(({ finding }) => finding !== "not judged");
  const clauses = parameters.filter(isJudged).map((parameter) => parameterClause(parameter, of(parameter)));
  const rest = parameters.filter((parameter) => !isJudged(parameter));
  const sentences = [
    ...(clauses.length > 0 ? [`Identifiable: ${clauses.join("; ")}.`] : []),
    ...(rest.length > 0 ? [`Not judged: ${list(rest)}.`] : []),
  ];
  return sentences.join(" ") + combinationClauses(combinations);
}

function conclusions(sentences: string[]): HTMLElement | null {
  if (sentences.length === 0) return null;
  return h("ul", { class: "conclusions" }, ...sentences.map((text) => h("li", {}, withMinus(text))));
}

function warnings(report: Report): HTMLElement | null {
  const texts = report.warnings ?? [];
  if (texts.length === 0) return null;
  const title = texts.length === 1 ? "Warning" : `${texts.length} warnings`;
  return h(
    "div",
    { class: "warnings", role: "note", "aria-label": title },
    h("strong", {}, title),
    h("ul", {}, ...texts.map((text) => h("li", {}, withMinus(text)))),
  );
}

export function pageHeader(report: Report): HTMLElement {
  const made = new Date(report.made);
  const day = Number.isNaN(made.getTime())
    ? report.made
    : made.toLocaleDateString("en-GB", { dateStyle: "long" });
  const summary = verdictSummary(report.verdicts ?? [], report.combinations ?? []);
  return h(
    "header",
    { class: "page-header" },
    h("p", { class: "kicker" }, "Report of a grey-box model"),
    h("h1", {}, report.title),
    report.model.about ? h("p", { class: "about" }, report.model.about) : null,
    summary ? h("p", { class: "summary" }, summary) : null,
    conclusions(report.summary ?? []),
    warnings(report),
    h("p", { class: "made" }, `greybox ${report.version} · ${day}`),
  );
}
