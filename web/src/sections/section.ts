// The frame that all sections share.
import { h } from "../dom";

export interface Section {
  id: string;
  title: string;
  element: HTMLElement;
}

type Content = Node | string | null | false | undefined;

export function section(id: string, title: string, lead: string, ...content: Content[]): Section {
  const element = h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    lead ? h("p", { class: "lead" }, lead) : null,
    ...content,
  );
  return { id, title, element };
}

/** A table that scrolls within itself when the page is narrow. */
export function table(label: string, head: string[], rows: Content[][]): HTMLElement {
  const cells = (row: Content[]) =>
    row.map((cell, k) => (k === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)));
  return h(
    "div",
    { class: "scroll", role: "group", "aria-label": label, tabindex: 0 },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row)))),
    ),
  );
}

/** Names and values side by side. */
export function facts(entries: [string, Content][]): HTMLElement {
  const shown = entries.filter(
    ([, value]) => value !== null && value !== undefined && value !== "" && value !== false,
  );
  return h(
    "dl",
    { class: "facts" },
    ...shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}
