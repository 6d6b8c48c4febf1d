// Sliders that weigh the candidates against each other; what they make is an expression.
import { slider } from "../controls";
import { h } from "../dom";
import type { Regularizer } from "../report";

const nPositions = 61;
const one = 30;

// Position 0 leaves a candidate out; the others run from 10⁻³ to 10³, ten to a decade.
function weightAt(position: number): number {
  if (position === 0) return 0;
  return Number((10 ** ((position - one) / 10)).toPrecision(2));
}

function combination(regularizers: Regularizer[], positions: number[]): string {
  const parts = regularizers.flatMap(({ name }, k) => {
    const weight = weightAt(positions[k]!);
    if (weight === 0) return [];
    return [weight === 1 ? name : `${weight}*${name}`];
  });
  return parts.join(" + ") || "0";
}

export function weightSliders(regularizers: Regularizer[], onText: (text: string) => void): HTMLElement {
  const positions = regularizers.map(() => 0);
  const sliders = regularizers.map(({ name }, k) =>
    slider({
      label: name,
      min: 0,
      max: nPositions - 1,
      value: 0,
      describe: (position) => (position === 0 ? "left out" : `× ${weightAt(position)}`),
      onInput: (position) => {
        positions[k] = position;
        onText(combination(regularizers, positions));
      },
    }),
  );
  return h("details", { class: "weights" },
    h("summary", {}, "Weigh candidates against each other"),
    ...sliders.map(({ element }) => element),
  );
}
