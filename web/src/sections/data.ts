// The data: counts, ranges, and a look at a few series.
import { unpack } from "../arrays";
import { LineChart } from "../charts/line_chart";
import { select } from "../controls";
import { h } from "../dom";
import { count, list, number } from "../format";
import type { Data, Report } from "../report";
import { facts, section, type Section, table } from "./section";

type Preview = NonNullable<Data["preview"]>[number];

function previewChart(preview: Preview, isScattered: boolean): HTMLElement {
  const x = unpack(preview.x.values);
  const series = preview.columns.map(({ name, values }, k) => ({
    name,
    x,
    y: unpack(values),
    style: isSorted(x) && !isScattered ? `line-${(k % 5) + 1}` : `points line-${(k % 5) + 1}`,
  }));
  return new LineChart({
    label: `${list(preview.columns.map(({ name }) => name))} over ${preview.x.name}`,
    xLabel: preview.x.name,
    yLabel: preview.columns.length === 1 ? preview.columns[0]!.name : "value",
    series,
  }).element;
}

// A line through points that jump back and forth would say nothing.
function isSorted(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; ++i) if (x[i]! < x[i - 1]!) return false;
  return true;
}

function previews(all: Preview[], isScattered: boolean): HTMLElement {
  const chart = h("div", {}, previewChart(all[0]!, isScattered));
  const choices = all.map(({ series }, k) => ({ value: String(k), name: series || `series ${k + 1}` }));
  return h(
    "figure",
    {},
    h("figcaption", {}, "A look at the data"),
    all.length > 1
      ? select("Series", choices, "0", (k) =>
          chart.replaceChildren(previewChart(all[Number(k)]!, isScattered)),
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
