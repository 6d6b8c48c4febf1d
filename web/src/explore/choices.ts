// Which network and which windows everything is about. Test windows are unlocked by hand.
import { select } from "../controls";
import { h, replaceInFocus } from "../dom";
import { count } from "../format";
import type { Connection } from "./connection";
import type { Live } from "./live";
import type { LiveState } from "./state";

const question =
  "Look at the test windows? The ledger of the run will say so: an estimate on them afterwards looks better than it is.";

export class Choices {
  readonly element = h("div", { class: "choices" });

  constructor(
    private readonly live: Live,
    private readonly connection: Connection,
    private readonly onNetwork: (network: number) => void,
    private readonly onSplit: (split: string) => void,
  ) {}

  show(state: LiveState): void {
    const networks = this.live.seeds.map((seed, k) => ({
      value: String(k),
      name: `seed ${seed}${k === 0 ? " (this run)" : ""}`,
    }));
    const splits = Object.entries(this.live.splits).map(([name, { n }]) => ({
      value: name,
      name: `${name} (${count(n)})${name === "test" && !this.live.is_test_unlocked ? ", locked" : ""}`,
    }));
    replaceInFocus(
      this.element,
      ...(networks.length > 1
        ? [select("Network", networks, String(state.network), (k) => this.onNetwork(Number(k)))]
        : []),
      select("Split", splits, state.split, (name) => void this.choose(name, state)),
    );
  }

  private async choose(split: string, state: LiveState): Promise<void> {
    if (split === "test" && !this.live.is_test_unlocked) {
      if (!window.confirm(question)) return this.show(state);
      try {
        await this.connection.ask("unlock", {});
      } catch {
        return this.show(state);
      }
      this.live.is_test_unlocked = true;
    }
    this.onSplit(split);
  }
}
