// Predicted fields: frames of observed, predicted and their difference, with a slider for time; on a line, one
// frame over space and time.
import { extent, type Numbers, unpack } from "../arrays";
import { drawFrame, scaleBelow } from "../charts/field_frame";
import { select, slider } from "../controls";
import { h } from "../dom";
import { number } from "../format";
import type { Output, PredictedWindow, Predictions } from "../report";
import { windowName } from "./predictions";

interface Frames {
  name: string;
  values: Numbers;
  range: [number, number];
  isDifference: boolean;
}

function framesOf(output: Output): Frames[] {
  const observed = unpack(output.observed);
  const predicted = unpack(output.predicted);
  const difference = Float64Array.from(predicted, (value, i) => Math.abs(value - observed[i]!));
  const range = extent(observed, predicted) ?? [0, 1];
  return [
    { name: `${output.name}, observed`, values: observed, range, isDifference: false },
    { name: `${output.name}, predicted`, values: predicted, range, isDifference: false },
    {
      name: "distance between them",
      values: difference,
      range: extent(difference) ?? [0, 1],
      isDifference: true,
    },
  ];
}

function rowOf(
  output: Output,
  height: number,
  width: number,
): { element: HTMLElement; show: (time: number) => void } {
  const frames = framesOf(output).map((frame) => ({
    ...frame,
    canvas: h("canvas", { width, height, role: "img", "aria-label": frame.name }),
  }));
  const size = height * width;
  return {
    element: h(
      "div",
      { class: "frames" },
      ...frames.map((frame) =>
        h(
          "figure",
          {},
          h("figcaption", {}, frame.name),
          frame.canvas,
          scaleBelow(frame.range, frame.isDifference),
        ),
      ),
    ),
    show: (time) => {
      for (const { canvas, values, range, isDifference } of frames) {
        drawFrame(canvas, values.subarray(time * size, (time + 1) * size), range, isDifference);
      }
    },
  };
}

export function fieldsView({ windows, height = 1, width = 1 }: Predictions): HTMLElement {
  const place = h("div", {});
  const isLine = height === 1;
  const show = (window: PredictedWindow) => {
    const times = unpack(window.time);
    const rows = window.outputs.map((output) => rowOf(output, isLine ? times.length : height, width));
    if (isLine) {
      const span = `${number(times[0])} to ${number(times[times.length - 1])}`;
      place.replaceChildren(
        h("p", {}, `x runs to the right; time runs down, from ${span}.`),
        ...rows.map(({ element }) => element),
      );
      rows.forEach((row) => row.show(0));
      return;
    }
    const showTime = (k: number) => rows.forEach((row) => row.show(k));
    const time = slider({
      label: "Time",
      min: 0,
      max: times.length - 1,
      value: times.length - 1,
      describe: (k) => number(times[k]),
      onInput: showTime,
    });
    place.replaceChildren(time.element, ...rows.map(({ element }) => element));
    showTime(times.length - 1);
  };
  show(windows![0]!);
  const choices = windows!.map((window, k) => ({ value: String(k), name: windowName(window, k) }));
  return h(
    "div",
    {},
    windows!.length > 1 ? select("Window", choices, "0", (k) => show(windows![Number(k)]!)) : null,
    place,
  );
}
