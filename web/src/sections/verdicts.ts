// The verdicts: which parameter can be trusted under which regularizer, and why.
import { sharedDomain, sparkline } from "../charts/sparkline";
import { h } from "../dom";
import { number, withMinus } from "../format";
import type { Combination, Report, Verdict } from "../report";
import { findingBadge } from "./findings";
import { section, type Section, table } from "./section";

function interval({ best, interval: ends, intervals: parts = [] }: Verdict): string {
  if (parts.length > 1) return parts.map(([low, high]) => `[${number(low)}, ${number(high)}]`).join(" or ");
  if (typeof best !== "number") return "–";
  if (!ends || (ends[0] === null && ends[1] === null)) return number(best);
  return `${number(best)} [${number(ends[0])}, ${number(ends[1])}]`;
}

function evidence({ sentence, evidence: points }: Verdict): HTMLElement {
  if (!points || points.length === 0) return h("span", {}, withMinus(sentence));
  return h(
    "details",
    { class: "evidence" },
    h("summary", {}, withMinus(sentence)),
    h("ul", {}, ...points.map((point) => h("li", {}, withMinus(point)))),
  );
}

function row(verdict: Verdict, all: Verdict[]): (Node | string | null)[] {
  const alike = all.filter(({ regularizer }) => regularizer === verdict.regularizer);
  const domain = sharedDomain(alike.flatMap(({ profile }) => profile ?? []));
  const label = `Profile of ${verdict.regularizer} along ${verdict.parameter}`;
  return [
    verdict.parameter,
    verdict.regularizer,
    findingBadge(verdict.finding),
    verdict.profile ? sparkline(verdict.profile, label, domain, verdict.best) : null,
    interval(verdict),
    evidence(verdict),
  ];
}

function combinations(all: Combination[]): HTMLElement | null {
  if (all.length === 0) return null;
  return h(
    "div",
    { class: "combinations" },
    h("h3", {}, "Combinations that are determined, though their parameters are not"),
    table(
      "Combinations of parameters",
      ["Combination", "Regularizer", "What it means"],
      all.map(({ text, regularizer, sentence }) => [text, regularizer, withMinus(sentence)]),
    ),
  );
}

export function verdictsSection({ verdicts = [], combinations: flat = [] }: Report): Section | null {
  if (verdicts.length === 0 && flat.length === 0) return null;
  return section(
    "verdicts",
    "Verdicts",
    "Whether a parameter can be read off a regularizer's landscape, told from its profile: the lowest R over all " +
      "other parameters. The band is the range of networks trained with other seeds. Open a sentence for the evidence.",
    h(
      "div",
      { class: "cards" },
      table(
        "Verdicts",
        ["Parameter", "Regularizer", "Finding", "Profile", "Lowest at [interval]", "Meaning"],
        verdicts.map((verdict) => row(verdict, verdicts)),
      ),
    ),
    combinations(flat),
  );
}
