// One frame of a field as an image, and the scale of its colours.
import type { Numbers } from "../arrays";
import { h } from "../dom";
import { number } from "../format";
import { colourTable, gradient, nColours } from "./colour_maps";

const mapOf = (isDifference: boolean) => (isDifference ? "magma" : "viridis");

/** Rows run down, as the data have them. */
export function drawFrame(
  canvas: HTMLCanvasElement,
  values: Numbers,
  [low, high]: [number, number],
  isDifference: boolean,
): void {
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const table = colourTable(mapOf(isDifference));
  const scale = high > low ? (nColours - 1) / (high - low) : 0;
  values.forEach((value, i) => {
    if (Number.isFinite(value))
      pixels[i] = table[Math.round(Math.min(nColours - 1, Math.max(0, (value - low) * scale)))]!;
  });
  context.putImageData(image, 0, 0);
}

export function scaleBelow([low, high]: [number, number], isDifference: boolean): HTMLElement {
  const bar = h("div", { class: "bar" });
  bar.style.background = gradient(mapOf(isDifference), "to right");
  return h("div", { class: "scale" }, h("span", {}, number(low)), bar, h("span", {}, number(high)));
}
