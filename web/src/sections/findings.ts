// The findings of verdicts: a word, a shape that looks like the profile it stands for, and a colour.
import { h, s } from "../dom";

interface Finding {
  style: string;
  shape: string;
}

const findings: Record<string, Finding> = {
  identifiable: { style: "good", shape: "M2 3C5 3 5 13 8 13S11 3 14 3" },
  flat: { style: "poor", shape: "M1 8H15" },
  "one-sided": { style: "unsure", shape: "M2 3C5 3 6 12 15 12" },
  "several minima": { style: "unsure", shape: "M1 3C3 3 3 12 5 12S7 5 8 5S9 12 11 12S13 3 15 3" },
  unstable: { style: "poor", shape: "M1 4C5 4 4 12 15 10M1 12C8 13 9 4 15 4" },
  disagree: { style: "poor", shape: "M1 3C6 3 6 13 15 13M15 3C10 3 10 13 1 13" },
  "determined by the data": { style: "good", shape: "M8 2V14M3 14H13" },
  "cut off": { style: "none", shape: "M2 3C5 3 6 12 9 12M11 2V14" },
  "not judged": { style: "none", shape: "M3 8H13" },
  "not adapted": { style: "none", shape: "M3 3L13 13M13 3L3 13" },
};

export function findingBadge(finding: string): HTMLElement {
  const { style, shape } = findings[finding] ?? { style: "none", shape: "M3 8H13" };
  return h(
    "span",
    { class: `finding ${style}` },
    s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: shape })),
    finding,
  );
}
