// What holds at the pins, over the same windows as at θ.
import type { Connection } from "./connection";
import { type Evaluation, type Live, type PinName, pinNames, type Shown } from "./live";
import type { LiveState } from "./state";

export class Pinned {
  readonly at: Partial<Record<PinName, Evaluation>> = {};
  private evaluatedFor = "";

  constructor(
    private readonly live: Live,
    private readonly connection: Connection,
    private readonly question: (state: LiveState) => object,
    private readonly onChange: () => void,
  ) {}

  /** Of the windows that are shown. */
  windows(): Partial<Record<PinName, Shown>> {
    const shown: Partial<Record<PinName, Shown>> = {};
    for (const name of pinNames) if (this.at[name]?.shown) shown[name] = this.at[name].shown;
    return shown;
  }

  /** Evaluates the pins anew where windows, network or θ of a pin have changed. */
  async update(state: LiveState): Promise<void> {
    const { pins, shown, split, network } = state;
    const key = JSON.stringify([pins, shown, split, network]);
    if (key === this.evaluatedFor) return;
    this.evaluatedFor = key;
    for (const name of pinNames) {
      const theta = pins[name];
      if (!theta) {
        delete this.at[name];
        continue;
      }
      const question = { ...this.question({ ...state, theta }), shown };
      const found = await this.connection.ask<Evaluation>("evaluate", question, name);
      if (key !== this.evaluatedFor) return;
      if (!found.superseded) this.at[name] = found;
    }
    this.onChange();
  }

  /** Other weights: what is known of the pins holds no more. */
  forget(): void {
    this.evaluatedFor = "";
  }

  /** The server keeps them with the run. */
  keep({ pins }: LiveState): void {
    const named = (theta: number[]) =>
      Object.fromEntries(this.live.parameters.map(({ name }, k) => [name, theta[k]!]));
    const kept = pinNames.flatMap((name) => (pins[name] ? [{ name, theta: named(pins[name]) }] : []));
    this.connection.ask("pins", { pins: kept }).catch(() => {});
  }
}
