// Windows of fields at one time: measured, predicted, and the network's part.
import { extent, type Numbers, unpack } from "../arrays";
import { drawFrame, scaleBelow } from "../charts/field_frame";
import { h } from "../dom";
import { number } from "../format";
import type { LiveWindow } from "./live";

/** One row of frames for each window and output. */
export function fieldFrames(windows: LiveWindow[], [height, width]: [number, number]): HTMLElement[] {
  const frame = (title: string, values: Numbers, range: [number, number], isPart: boolean) => {
    const canvas = h("canvas", { width, height, role: "img", "aria-label": title });
    drawFrame(canvas, values, range, isPart);
    return h("figure", {}, h("figcaption", {}, title), canvas, scaleBelow(range, isPart));
  };
  return windows.flatMap((window) =>
    window.outputs.map((output) => {
      const range = extent(unpack(output.observed)) ?? [0, 1];
      const part = window.parts.find(({ name }) => name === output.name) ?? window.parts[0]!;
      const network = unpack(part.network);
      const at = `${output.name} at ${number(unpack(window.time)[0])}`;
      return h(
        "div",
        { class: "frames" },
        frame(`${at}, measured`, unpack(output.observed), range, false),
        frame("predicted", unpack(output.predicted), range, false),
        frame(`f_D of ${part.name}`, network, extent(network) ?? [0, 1], true),
      );
    }),
  );
}
