// Sliders that weigh the candidates against each other; what they make is an expression.
import { slider, type Slider } from "../controls";
import { h } from "../dom";
import type { Regularizer } from "../report";

const nPositions = 61;
const one = 30;

// Position 0 leaves a candidate out; the others run to 10³, ten to a decade.
function weightAt(position: number): number {
  if (position === 0) return 0;
  return Number((10 ** ((position - one) / 10)).toPrecision(2));
}

const positionOf = new Map(
  Array.from({ length: nPositions }, (_, position) => [weightAt(position), position]),
);

function combination(regularizers: Regularizer[], positions: number[]): string {
  const parts = regularizers.flatMap(({ name }, k) => {
    const weight = weightAt(positions[k]!);
    if (weight === 0) return [];
    return [weight === 1 ? name : `${weight}*${name}`];
  });
  return parts.join(" + ") || "0";
}

export class Weights {
  readonly element: HTMLElement;
  private readonly positions: number[];
  private readonly sliders: Slider[];

  constructor(
    private readonly regularizers: Regularizer[],
    onText: (text: string) => void,
  ) {
    this.positions = regularizers.map(() => 0);
    this.sliders = regularizers.map(({ name }, k) =>
      slider({
        label: name,
        min: 0,
        max: nPositions - 1,
        value: 0,
        describe: (position) => (position === 0 ? "left out" : `× ${weightAt(position)}`),
        onInput: (position) => {
          this.positions[k] = position;
          onText(combination(regularizers, this.positions));
        },
      }),
    );
    this.element = h(
      "details",
      { class: "weights" },
      h("summary", {}, "Weigh candidates against each other"),
      ...this.sliders.map(({ element }) => element),
    );
  }

  /** Moves the sliders to a weighted sum of candidates; any other expression leaves all of them out. */
  follow(text: string): void {
    const weights = new Map<string, number>();
    for (const part of text.split("+")) {
      const [weight, name] = part.includes("*") ? part.split("*", 2) : ["1", part];
      weights.set(name!.trim(), positionOf.get(Number(weight)) ?? -1);
    }
    const known = this.regularizers.filter(({ name }) => (weights.get(name) ?? -1) >= 0);
    const isSum = known.length === weights.size;
    this.regularizers.forEach(({ name }, k) => {
      this.positions[k] = isSum ? (weights.get(name) ?? 0) : 0;
      this.sliders[k]!.set(this.positions[k]!);
    });
  }
}
