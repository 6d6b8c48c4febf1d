// A map as a table of numbers, for those who cannot see it: every k-th column and row.
import type { MapContent } from "../charts/map_picture";
import { h } from "../dom";
import { number } from "../format";

const maxCells = 12;

function everyKth(n: number): number[] {
  const step = Math.max(1, Math.ceil((n - 1) / (maxCells - 1)));
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => k * step);
}

function tableOf({ x, y, values, bar, label }: MapContent): HTMLElement {
  const columns = everyKth(x.values.length);
  const rows = everyKth(y.values.length).reverse();
  const value = (column: number, row: number) => {
    const drawn = values[column * y.values.length + row]!;
    return number(bar.isLog ? 10 ** drawn : drawn);
  };
  const head = [`${y.label} \\ ${x.label}`, ...columns.map((column) => number(x.values[column]))];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": label.split(".")[0] },
    h(
      "table",
      { class: "numbers" },
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, number(y.values[row])),
            ...columns.map((column) => h("td", {}, value(column, row))),
          ),
        ),
      ),
    ),
  );
}

export class MapNumbers {
  readonly element = h("details", { class: "alternative" }, h("summary", {}, "Numbers of the map"));

  constructor(content: () => MapContent) {
    this.element.addEventListener("toggle", () => {
      if (this.element.open && this.element.children.length === 1) this.element.append(tableOf(content()));
    });
  }

  /** The map has changed: the table is made anew when it is opened again. */
  forget(): void {
    this.element.open = false;
    while (this.element.children.length > 1) this.element.lastElementChild!.remove();
  }
}
