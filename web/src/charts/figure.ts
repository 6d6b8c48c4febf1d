// A chart with its caption, legend and the numbers behind it as a table.
import { h } from "../dom";
import { number } from "../format";

export interface Column {
  name: string;
  values: ArrayLike<number | string | null>;
}

const maxRows = 60;

/** Every k-th row of the columns, so that the table stays one that a person reads. */
export function numbersTable(columns: Column[]): HTMLElement {
  const n = Math.max(0, ...columns.map((column) => column.values.length));
  const step = Math.max(1, Math.ceil(n / maxRows));
  const body = h("tbody");
  for (let row = 0; row < n; row += step) {
    const cells = columns.map(({ values }) => {
      const value = values[row];
      return h("td", {}, typeof value === "string" ? value : number(value));
    });
    body.append(h("tr", {}, ...cells));
  }
  const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col" }, column.name)));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Numbers of the chart" },
    h("table", { class: "numbers" }, h("thead", {}, head), body),
  );
}

/** The table is made when it is first opened: a page has many. */
export function numbersDetails(columns: () => Column[]): HTMLDetailsElement {
  const details = h("details", { class: "alternative" }, h("summary", {}, "Numbers"));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(numbersTable(columns()));
  });
  return details;
}

export interface LegendEntry {
  name: string;
  style: string;
}

export function legend(entries: LegendEntry[]): HTMLElement {
  return h(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    ...entries.map((entry) => h("li", {}, h("span", { class: `swatch ${entry.style}` }), entry.name)),
  );
}

export interface FigureOptions {
  title?: string;
  chart: HTMLElement;
  note?: string;
  entries?: LegendEntry[];
  columns?: () => Column[];
}

export function figure({ title, chart, note, entries, columns }: FigureOptions): HTMLElement {
  return h(
    "figure",
    {},
    title ? h("figcaption", {}, title) : null,
    entries && entries.length > 0 ? legend(entries) : null,
    chart,
    note ? h("p", { class: "note" }, note) : null,
    columns ? numbersDetails(columns) : null,
  );
}
