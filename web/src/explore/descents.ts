// Descents: an estimate watched from here, and several from draws of the prior.
import { h } from "../dom";
import type { Report } from "../report";
import type { Connection } from "./connection";
import type { DescentLine } from "./live";
import { DescentTab } from "./side_tabs";
import type { LiveState } from "./state";

export interface DescentHost {
  state: () => LiveState;
  question: () => object;
  onStep: (theta: number[], trace: number[][]) => void;
  onEnd: (theta: number[]) => void;
}

const nStarts = 10;
/** A step is seen for so long, however fast it was computed. */
const stepTime = 40;

const pause = (time: number) => new Promise((go) => setTimeout(go, time));

export class Descents {
  readonly element: HTMLElement;
  private readonly tab: DescentTab;
  private readonly here = h(
    "button",
    { type: "button", class: "main", click: () => void this.run([null]) },
    "Descend from here",
  );
  private readonly many = h(
    "button",
    { type: "button", click: () => void this.run(Array.from({ length: nStarts }, (_, k) => k)) },
    `From ${nStarts} draws of the prior`,
  );
  private readonly halt = h("button", { type: "button", hidden: true, click: () => this.stop() }, "Stop");
  private readonly note = h("p", { class: "note", role: "status" });
  private isStopped = false;

  constructor(
    private readonly report: Report,
    private readonly connection: Connection,
    private readonly host: DescentHost,
  ) {
    this.tab = new DescentTab(
      report,
      (theta) => this.host.onEnd(theta),
      this.here,
      this.many,
      this.halt,
      this.note,
    );
    this.element = this.tab.element;
  }

  private stop(): void {
    this.isStopped = true;
    this.connection.cancel("descend");
  }

  private setBusy(isBusy: boolean): void {
    this.here.disabled = this.many.disabled = isBusy;
    this.halt.hidden = !isBusy;
  }

  /** Of θ, where null stands for the one shown; else of draws of the prior. */
  private async run(starts: (number | null)[]): Promise<void> {
    this.isStopped = false;
    this.setBusy(true);
    try {
      for (const [k, start] of starts.entries()) {
        if (this.isStopped) break;
        this.note.textContent = starts.length > 1 ? `Descent ${k + 1} of ${starts.length}…` : "Descending…";
        await this.descend(start);
      }
      this.note.textContent = this.isStopped ? "Stopped." : this.note.textContent!.replace("…", ": done.");
    } catch (error) {
      this.note.textContent = error instanceof Error ? error.message : String(error);
    }
    this.setBusy(false);
  }

  private thetaOf(line: DescentLine): number[] {
    return this.report.live!.parameters.map(({ name }) => line.theta[name]!);
  }

  private async descend(start: number | null): Promise<void> {
    const { text, locked } = this.host.state();
    const free = locked.flatMap((isLocked, k) => (isLocked ? [] : [k]));
    const asked = { ...this.host.question(), regularizer: text, free, ...(start === null ? {} : { start }) };
    const lines: DescentLine[] = [];
    let isDone = false;
    const watching = this.watch(lines, () => isDone);
    try {
      await this.connection.stream<DescentLine>("descend", asked, (line) => void lines.push(line));
    } finally {
      isDone = true;
      await watching;
    }
    const end = lines.find((line) => line.is_end);
    if (!end) return;
    const theta = this.thetaOf(end);
    this.tab.add({ theta, R: end.R ?? Number.NaN, L: end.L ?? Number.NaN, text });
    this.host.onEnd(theta);
  }

  // Shows one step after the other; skips some when they come faster than they can be seen.
  private async watch(lines: DescentLine[], isDone: () => boolean): Promise<void> {
    const trace: number[][] = [];
    for (let shown = 0; !this.isStopped;) {
      const steps = lines.filter((line) => !line.is_end && !line.superseded);
      if (shown < steps.length) {
        const stride = Math.max(1, Math.floor((steps.length - shown) / 25));
        trace.push(this.thetaOf(steps[shown]!));
        this.host.onStep(trace.at(-1)!, trace);
        shown += stride;
      } else if (isDone()) return;
      await pause(stepTime);
    }
  }
}
