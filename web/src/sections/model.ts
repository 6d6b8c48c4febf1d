// The model as mathematics: equations, parameters with their priors, networks, and the file itself.
import temml from "temml";
import { h } from "../dom";
import { count, number, withUnit } from "../format";
import type { Equation, Model, Network, Parameter, Report } from "../report";
import { section, type Section, table } from "./section";

const sectionNames: Record<string, string> = {
  inputs: "Inputs",
  theory: "Theory",
  network: "Networks",
  data_driven: "Data-driven part",
  define: "Definitions",
  state: "Initial state",
  observe: "Observed",
  composition: "Composition",
  regularizers: "Candidate regularizers",
  estimator: "Estimator",
};

// Of several digits in \mathrm{od600} the renderer keeps only the first, unless they stand alone.
function withDigitsApart(latex: string): string {
  return latex.replace(/\\mathrm\{([^{}]*\d\d[^{}]*)\}/g, (_, name: string) => {
    const pieces = name.split(/(\d+)/).filter(Boolean);
    return `{${pieces.map((piece) => `\\mathrm{${piece}}`).join("")}}`;
  });
}

// An equation that cannot be set as mathematics is shown as it was written.
function mathematics(equation: Equation): HTMLElement {
  const place = h("div", { class: "equation" });
  const source = equation.text ? `${equation.name} = ${equation.text}` : equation.name;
  if (!equation.latex) {
    place.append(h("code", {}, source));
    return place;
  }
  try {
    temml.render(withDigitsApart(equation.latex), place, { throwOnError: true, wrap: "tex" });
    place.firstElementChild!.setAttribute("displaystyle", "true");
    place.title = source;
  } catch {
    place.replaceChildren(h("code", {}, source));
  }
  return place;
}

function equationGroups(equations: Equation[]): HTMLElement[] {
  const names = [...new Set(equations.map((equation) => equation.section))];
  return names.map((name) =>
    h(
      "div",
      { class: "equations" },
      h("h3", {}, sectionNames[name] ?? name),
      ...equations.filter((equation) => equation.section === name).map(mathematics),
    ),
  );
}

function bounds(low: number | null | undefined, high: number | null | undefined): string {
  const from = typeof low === "number" ? `[${number(low)}` : "(−∞";
  const to = typeof high === "number" ? `${number(high)}]` : "∞)";
  return `${from}, ${to}`;
}

function priorText({ prior, low, high, mean, sd }: Parameter): string {
  const hasBounds = typeof low === "number" || typeof high === "number";
  const isToldAlready = /[[(]/.test(prior);
  if (prior === "lognormal" && typeof mean === "number")
    return `lognormal, median ${number(Math.exp(mean))}, log-sd ${number(sd)}`;
  const moments = typeof mean === "number" ? `, mean ${number(mean)}, sd ${number(sd)}` : "";
  const on = hasBounds && !isToldAlready ? ` on ${bounds(low, high)}` : "";
  return `${prior.replaceAll("_", " ")}${moments}${moments && on ? "," : ""}${on}`;
}

function parametersTable(parameters: Parameter[]): HTMLElement {
  return table(
    "Parameters",
    ["Parameter", "Meaning", "Prior"],
    parameters.map((one) => [withUnit(one.name, one.unit), one.about ?? "", priorText(one)]),
  );
}

function networksTable(networks: Network[]): HTMLElement {
  return table(
    "Networks",
    ["Network", "Kind", "Reads", "Hidden", "Gives", "Weights"],
    networks.map((one) => [
      one.name,
      one.kind,
      one.inputs.join(", "),
      (one.hidden ?? []).join(" · ") || "–",
      one.outputs.join(", "),
      count(one.n_weights),
    ]),
  );
}

function modelFile({ text, file }: Model): HTMLElement | null {
  if (!text) return null;
  return h(
    "details",
    { class: "source" },
    h("summary", {}, file ? `The model file, ${file}` : "The model file"),
    h("pre", { tabindex: 0, role: "group", "aria-label": "The model file" }, h("code", {}, text)),
  );
}

export function modelSection({ model }: Report): Section {
  return section(
    "model",
    "The model",
    "",
    h("div", { class: "equation-groups" }, ...equationGroups(model.equations)),
    model.parameters.length > 0 ? h("h3", {}, "Parameters of the theory") : null,
    model.parameters.length > 0 ? parametersTable(model.parameters) : null,
    model.networks.length > 0 ? h("h3", {}, "Networks") : null,
    model.networks.length > 0 ? networksTable(model.networks) : null,
    modelFile(model),
  );
}
