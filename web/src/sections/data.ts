// The data: counts, ranges, and a look at a few series.
import { extent, unpack } from "../arrays";
import { LineChart } from "../charts/line_chart";
import { select } from "../controls";
import { h } from "../dom";
import { count, list, number } from "../format";
import type { Data, Report } from "../report";
import { facts, section, type Section, table } from "./section";

type Preview = NonNullable<Data["preview"]>[number];

/** Columns of about one size share a chart; others would be lines at its bottom. */
const mostTimes = 8;

function sizeOf({ values }: Preview["columns"][number]): number {
  const ends = extent(unpack(values)) ?? [0, 0];
  return Math.max(Math.abs(ends[0]), Math.abs(ends[1]), Number.MIN_VALUE);
}

// Neighbours in size, each group in the order of the data.
function alikeColumns(columns: Preview["columns"]): Preview["columns"][] {
  const groups: Preview["columns"][] = [];
  const bySize = [...columns].sort((a, b) => sizeOf(a) - sizeOf(b));
  for (const column of bySize) {
    const last = groups.at(-1);
    if (last && sizeOf(column) <= mostTimes * sizeOf(last[0]!)) last.push(column);
    else groups.push([column]);
  }
  const place = (column: Preview["columns"][number]) => columns.indexOf(column);
  for (const group of groups) group.sort((a, b) => place(a) - place(b));
  return groups.sort(([a], [b]) => place(a!) - place(b!));
}

function previewCharts(preview: Preview, isScattered: boolean): HTMLElement[] {
  const x = unpack(preview.x.values);
  const joined = isSorted(x) && !isScattered ? "" : "points ";
  const groups = alikeColumns(preview.columns);
  return groups.map(
    (columns) =>
      new LineChart({
        label: `${list(columns.map(({ name }) => name))} over ${preview.x.name}`,
        xLabel: preview.x.name,
        yLabel: columns.length === 1 ? columns[0]!.name : "value",
        height: groups.length > 1 ? 190 : 260,
        series: columns.map((column) => ({
          name: column.name,
          x,
          y: unpack(column.values),
          style: `${joined}line-${(preview.columns.indexOf(column) % 5) + 1}`,
        })),
      }).element,
  );
}

// A line through points that jump back and forth would say nothing.
function isSorted(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; ++i) if (x[i]! < x[i - 1]!) return false;
  return true;
}

function previews(all: Preview[], isScattered: boolean): HTMLElement {
  const chart = h("div", {}, ...previewCharts(all[0]!, isScattered));
  const choices = all.map(({ series }, k) => ({ value: String(k), name: series || `series ${k + 1}` }));
  return h(
    "figure",
    {},
    h("figcaption", {}, "A look at the data"),
    all.length > 1
      ? select("Series", choices, "0", (k) =>
          chart.replaceChildren(...previewCharts(all[Number(k)]!, isScattered)),
        )
      : null,
    chart,
  );
}

export function dataSection({ data, predictions }: Report): Section | null {
  if (!data) return null;
  const windows = Object.entries(data.windows).map(([part, n]) => `${count(n)} ${part}`);
  return section(
    "data",
    "The data",
    "",
    facts([
      ["File", data.file],
      ["Rows", count(data.rows)],
      ["Windows", windows.join(" · ")],
    ]),
    data.preview && data.preview.length > 0 ? previews(data.preview, predictions?.kind === "points") : null,
    table(
      "Columns of the data",
      ["Column", "Lowest", "Mean", "Highest"],
      data.columns.map(({ name, min, mean, max }) => [name, number(min), number(mean), number(max)]),
    ),
  );
}
