// Where everything comes from, and how to cite it.
import { copyButton } from "../controls";
import { h } from "../dom";
import type { Report } from "../report";
import { facts, section, type Section } from "./section";

const names: Record<string, string> = {
  version: "Version",
  seed: "Seed",
  model_sha256: "SHA-256 of the model",
  data_sha256: "SHA-256 of the data",
  weights_sha256: "SHA-256 of the weights",
  finished: "Training",
  trained_with: "Trained with",
};

function entry(key: string, value: unknown): [string, HTMLElement | string] {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return [
    names[key] ?? key.replaceAll("_", " "),
    key.endsWith("sha256") ? h("code", { class: "hash" }, text) : text,
  ];
}

function commands(all: string[]): HTMLElement | null {
  if (all.length === 0) return null;
  const text = all.join("\n");
  return h(
    "div",
    {},
    h("h3", {}, "Commands"),
    h("pre", { tabindex: 0, role: "group", "aria-label": "Commands" }, h("code", {}, text)),
    copyButton(text, "Copy the commands"),
  );
}

function citation({ cite }: Report): HTMLElement | null {
  if (!cite) return null;
  return h(
    "div",
    {},
    h("h3", {}, "How to cite"),
    h("p", {}, cite.text),
    h("pre", { tabindex: 0, role: "group", "aria-label": "BibTeX" }, h("code", {}, cite.bibtex)),
    copyButton(cite.bibtex, "Copy the BibTeX entry"),
  );
}

export function provenanceSection(report: Report): Section | null {
  if (!report.provenance && !report.cite) return null;
  const { commands: all = [], ...rest } = report.provenance ?? {};
  const told = Object.entries(rest).filter(([, value]) => value !== null && value !== "");
  return section(
    "provenance",
    "Provenance",
    "",
    facts(told.map(([key, value]) => entry(key, value))),
    commands(all),
    citation(report),
  );
}
