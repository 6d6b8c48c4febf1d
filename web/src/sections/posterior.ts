// The distribution of the parameters: marginals, pairs, sensitivity to β, and whether the chains can be trusted.
import { LineChart } from "../charts/line_chart";
import { extent, unpack } from "../arrays";
import { Heatmap } from "../charts/heatmap";
import { marginalChart, pairDensity } from "../charts/density";
import { select } from "../controls";
import { h } from "../dom";
import { count, counted, number, withUnit } from "../format";
import type { Parameter, Posterior, PosteriorParameter, Report } from "../report";
import { facts, section, type Section, table } from "./section";

const maxRhat = 1.01;

function rhatCell(rhat: number | null): HTMLElement | string {
  if (rhat === null) return "–";
  return rhat > maxRhat
    ? h("strong", { class: "bad" }, `${rhat.toFixed(3)} — chains disagree`)
    : rhat.toFixed(3);
}

function summaryTable(parameters: PosteriorParameter[]): HTMLElement {
  return table(
    "Summary of the posterior",
    ["Parameter", "Mean", "SD", "5 %", "Median", "95 %", "R-hat", "ESS bulk", "ESS tail"],
    parameters.map((one) => [
      one.name,
      number(one.mean),
      number(one.sd),
      number(one.q5),
      number(one.median),
      number(one.q95),
      rhatCell(one.rhat),
      one.ess_bulk === null ? "–" : count(Math.round(one.ess_bulk)),
      one.ess_tail === null ? "–" : count(Math.round(one.ess_tail)),
    ]),
  );
}

// Of a uniform prior over logarithms the page does not know the density over values.
function priorOf(name: string, { model, grids = [] }: Report): Parameter | undefined {
  const isLog = grids.some(({ axes }) => axes.some((axis) => axis.name === name && axis.scale === "log"));
  return isLog ? undefined : model.parameters.find((parameter) => parameter.name === name);
}

function marginals({ parameters, draws }: Posterior, report: Report): HTMLElement | null {
  if (!draws) return null;
  const shown = parameters.filter(({ name }) => draws[name]);
  return h(
    "div",
    { class: "pair" },
    ...shown.map((one) =>
      h(
        "figure",
        {},
        h("figcaption", {}, `Marginal of ${one.name}`),
        marginalChart(unpack(draws[one.name]), one, priorOf(one.name, report)),
      ),
    ),
  );
}

function pairs({ parameters, draws }: Posterior, { model }: Report): HTMLElement | null {
  const names = parameters.map(({ name }) => name).filter((name) => draws?.[name]);
  if (names.length < 2) return null;
  const chosen = [names[0]!, names[1]!];
  const unitOf = (name: string) => model.parameters.find((one) => one.name === name)?.unit;
  let density = pairDensity(chosen, draws!, unitOf);
  const readout = h(
    "p",
    { class: "readout", "aria-live": "polite" },
    "Point at the picture to read the share of draws.",
  );
  const map = new Heatmap((cell) => {
    const { x, y, share } = density;
    const part = number(Number((100 * share(cell)).toPrecision(2)));
    const where = `${x.label} ≈ ${number(x.values[cell.column])}, ${y.label} ≈ ${number(y.values[cell.row])}`;
    readout.textContent = `${where}: ${part} % of the draws`;
  }, 400);
  const show = () => {
    density = pairDensity(chosen, draws!, unitOf);
    map.show(density.content);
  };
  const choose = (k: 0 | 1) => (name: string) => {
    chosen[k] = name;
    show();
  };
  show();
  const choices = names.map((name) => ({ value: name, name }));
  return h(
    "figure",
    { class: "pair-density" },
    h("figcaption", {}, "Pairs"),
    h(
      "div",
      { class: "inline-fields" },
      select("Across", choices, chosen[0]!, choose(0)),
      select("Upward", choices, chosen[1]!, choose(1)),
    ),
    map.element,
    readout,
  );
}

function sensitivity(
  { sensitivity: all = [], parameters }: Posterior,
  { model }: Report,
): HTMLElement | null {
  if (all.length < 2) return null;
  const x = Float64Array.from(all, ({ beta }) => beta);
  const charts = parameters.map(({ name }) => {
    const found = all.map((one) => one.parameters.find((parameter) => parameter.name === name));
    const y = Float64Array.from(found, (one) => one?.mean ?? Number.NaN);
    const sd = Float64Array.from(found, (one) => one?.sd ?? Number.NaN);
    const chart = new LineChart({
      label: `Mean of ${name} and one standard deviation, over β`,
      xLabel: "β",
      yLabel: withUnit(name, model.parameters.find((one) => one.name === name)?.unit),
      isLogX: (extent(x) ?? [0])[0] > 0,
      height: 210,
      series: [
        {
          name: "mean ± sd",
          x,
          y,
          low: y.map((v, i) => v - sd[i]!),
          high: y.map((v, i) => v + sd[i]!),
          style: "line-1",
        },
      ],
    });
    return h("figure", {}, h("figcaption", {}, `${name} over β`), chart.element);
  });
  return h(
    "div",
    {},
    h("h3", {}, "How much the choice of β matters"),
    h("div", { class: "pair" }, ...charts),
  );
}

export function posteriorSection(report: Report): Section | null {
  const { posterior } = report;
  if (!posterior) return null;
  const sampled = posterior.method === "nuts";
  return section(
    "posterior",
    "Posterior",
    `The prior times exp(−β R), with R = ${posterior.regularizer}.`,
    facts([
      ["β", number(posterior.beta)],
      ["On", posterior.on],
      ["Method", sampled ? "NUTS" : posterior.method],
      ["Chains", sampled ? `${posterior.chains} × ${counted(posterior.draws_per_chain, "draw")}` : ""],
      [
        "Divergences",
        sampled && typeof posterior.divergences === "number" ? String(posterior.divergences) : "",
      ],
    ]),
    summaryTable(posterior.parameters),
    marginals(posterior, report),
    pairs(posterior, report),
    sensitivity(posterior, report),
  );
}
