// The explorer: one state, and panels that follow it.
import { h } from "../dom";
import { Candidates } from "../landscape/candidates";
import type { Report, Training } from "../report";
import { Choices } from "./choices";
import { Connection, Latest } from "./connection";
import { Descents } from "./descents";
import { explorerLayout, listenToKeys } from "./layout";
import {
  type Evaluation,
  type Live,
  type LiveExplanation,
  pinNames,
  type PinName,
  type ScanLine,
} from "./live";
import { MapPanel } from "./map_panel";
import { ParameterPanel } from "./parameter_panel";
import { Pinned } from "./pinned";
import { PinPanel } from "./pins";
import { RegularizerField } from "./regularizer_field";
import { LearnedTab, ProfileTab, TrainingTab } from "./side_tabs";
import {
  defaultWindows,
  firstState,
  fromAddress,
  History,
  orderedWindows,
  type LiveState,
  toAddress,
  type WindowOrder,
} from "./state";
import { Timing } from "./timing";
import { ValuePanel } from "./value_panel";
import { WindowPanel } from "./window_panel";

/** After the last move: all windows, and a new landscape. */
const settleTime = 150;

export class ExplorerApp {
  readonly element: HTMLElement;
  private readonly live: Live;
  private readonly candidates: Candidates;
  private readonly connection: Connection;
  private readonly history: History;
  private readonly timing = new Timing();
  private state: LiveState;
  private terms: string[];
  private last: Evaluation | null = null;
  private errors: Evaluation["errors"] | null = null;
  private settling = 0;
  private gesture = 0;
  private scanned = "";
  private isShifted = false;

  private readonly status = h("p", { class: "connection", role: "status" });
  private readonly undoButton = h(
    "button",
    { type: "button", disabled: true, click: () => this.undo() },
    "Undo",
  );
  private readonly choices: Choices;
  private readonly pinned: Pinned;
  private readonly parameters: ParameterPanel;
  private readonly map: MapPanel;
  private readonly windows: WindowPanel;
  private readonly values: ValuePanel;
  private readonly field: RegularizerField;
  private readonly pins: PinPanel;
  private readonly profiles: ProfileTab;
  private readonly descents: Descents;

  private readonly moving = new Latest<LiveState>((state) => this.evaluate(state, true));
  private readonly settled = new Latest<LiveState>((state) => this.evaluate(state, false));
  private readonly following = new Latest<{ state: LiveState; moved: number[] }>((asked) =>
    this.follow(asked),
  );

  constructor(private readonly report: Report) {
    this.live = report.live!;
    const regularizers = report.regularizers ?? [];
    const own = regularizers.find(({ name }) => name === report.training?.regularizer) ?? regularizers[0];
    this.terms = this.live.terms;
    this.candidates = new Candidates(regularizers, report.run || "RUN");
    this.connection = new Connection(this.live.path, (isConnected) => this.showStatus(isConnected));
    this.history = new History((canUndo) => (this.undoButton.disabled = !canUndo));
    this.state = fromAddress(location.hash, firstState(this.live, own?.name ?? "nrmse"), this.live);
    this.choices = new Choices(
      this.live,
      this.connection,
      (network) => this.change({ network }),
      (split) => this.change({ split, shown: defaultWindows(this.live, split), order: "spread" }),
    );
    this.pinned = new Pinned(
      this.live,
      this.connection,
      (state) => this.question(state),
      () => this.showPinned(),
    );
    this.parameters = new ParameterPanel(
      report,
      ({ parameter, value, isMoving }) => this.moveTheta(new Map([[parameter, value]]), isMoving),
      (parameter) =>
        this.change({ locked: this.state.locked.map((was, k) => (k === parameter ? !was : was)) }),
      this.choices.element,
    );
    this.map = new MapPanel(
      report,
      this.candidates,
      ({ values, isMoving }) => this.moveTheta(values, isMoving),
      (text) => (this.field.text = text),
      (axes) => this.change({ axes }),
    );
    this.windows = new WindowPanel(
      this.live,
      (order) => this.sortWindows(order),
      () => this.settled.put(this.state),
    );
    this.values = new ValuePanel(report, this.candidates);
    this.field = new RegularizerField(
      this.candidates,
      () => this.map.current,
      (text) => text !== this.state.text && this.change({ text }),
      (text) => this.learnMeans(text),
    );
    this.pins = new PinPanel(
      report,
      (name) => this.setPin(name, [...this.state.theta]),
      (name) => this.state.pins[name] && this.goTo(this.state.pins[name]),
      (name) => this.setPin(name, null),
      () => [...this.windows.element.querySelectorAll<SVGSVGElement>(".window svg, .parts svg")],
    );
    this.profiles = new ProfileTab(report, this.candidates);
    this.descents = new Descents(report, this.connection, {
      state: () => this.state,
      question: () => this.question(this.state),
      onStep: (theta, trace) => {
        this.state = { ...this.state, theta };
        this.map.trace(trace);
        this.showTheta();
        this.moving.put(this.state);
      },
      onEnd: (theta) => this.goTo(theta),
    });
    this.element = this.layout();
    this.listen();
    this.start();
  }

  private layout(): HTMLElement {
    const learned = new LearnedTab(() =>
      this.connection.ask<LiveExplanation>("explain", this.question(this.state)),
    );
    const training = new TrainingTab(this.report, () => this.connection.ask<Training>("training", {}));
    const { profiles } = this;
    const tabs = [
      {
        name: "Profiles",
        panel: profiles.element,
        onOpen: () => profiles.show(this.state, this.map.current),
      },
      { name: "Descend", panel: this.descents.element },
      { name: "What the network learned", panel: learned.element },
      { name: "Training", panel: training.element, onOpen: () => void training.refresh().catch(() => {}) },
    ];
    return explorerLayout(this.report, {
      status: this.status,
      undo: this.undoButton,
      parameters: this.parameters.element,
      map: this.map.element,
      windows: this.windows.element,
      values: [this.field.element, this.values.element, this.pins.element],
      tabs,
    });
  }

  private listen(): void {
    listenToKeys(
      (isShifted) => (this.isShifted = isShifted),
      () => this.undo(),
    );
    window.addEventListener("hashchange", () => {
      if (location.hash !== toAddress(this.state, this.live))
        this.set(fromAddress(location.hash, this.state, this.live));
    });
  }

  private start(): void {
    this.field.text = this.state.text;
    this.set(this.state);
  }

  // Everything anew, as after undo.
  private set(state: LiveState): void {
    this.state = state;
    this.field.text = state.text;
    this.showControls();
    this.showTheta();
    this.settle(0);
  }

  private showControls(): void {
    this.map.showAxes(this.state);
    this.windows.showControls(this.state);
    this.parameters.mark(this.state);
    this.pins.show(this.state, this.pinned.at);
    this.choices.show(this.state);
  }

  private remember(): void {
    if (this.gesture === 0) this.history.keep(this.state);
    window.clearTimeout(this.gesture);
    // Moves that follow each other closely are one.
    this.gesture = window.setTimeout(() => (this.gesture = 0), 600);
  }

  private change(change: Partial<LiveState>): void {
    this.remember();
    this.state = { ...this.state, ...change };
    this.showControls();
    this.showTheta();
    if (this.last) this.showValues();
    if (change.text !== undefined) this.map.draw(this.state);
    this.settle(0);
  }

  private goTo(theta: number[]): void {
    this.change({ theta: [...theta] });
  }

  private moveTheta(values: Map<number, number>, isMoving: boolean): void {
    this.remember();
    this.timing.begin();
    const theta = this.state.theta.map((was, k) => (this.state.locked[k] ? was : (values.get(k) ?? was)));
    this.state = { ...this.state, theta };
    this.showTheta();
    const canFollow =
      this.isShifted && this.live.parameters.some((_, k) => !values.has(k) && !this.state.locked[k]);
    if (canFollow) this.following.put({ state: this.state, moved: [...values.keys()] });
    else this.moving.put(this.state);
    this.settle(isMoving ? settleTime : 0);
  }

  private undo(): void {
    const before = this.history.back();
    if (before) this.set(before);
  }

  private showTheta(): void {
    this.parameters.show(this.state);
    this.map.move(this.state);
  }

  private settle(after: number): void {
    this.element.ariaBusy = "true";
    window.clearTimeout(this.settling);
    this.settling = window.setTimeout(() => {
      if (!this.following.isIdle || !this.moving.isIdle) return this.settle(settleTime / 3);
      this.settled.put(this.state);
      void this.pinned.update(this.state).catch(() => {});
      this.scan();
      history.replaceState(null, "", toAddress(this.state, this.live));
      this.profiles.show(this.state, this.map.current);
      return undefined;
    }, after);
  }

  private question(state: LiveState) {
    const theta = Object.fromEntries(this.live.parameters.map(({ name }, k) => [name, state.theta[k]!]));
    return { theta, network: state.network, split: state.split };
  }

  private async evaluate(state: LiveState, isQuick: boolean): Promise<void> {
    const asked = { ...this.question(state), quick: isQuick, shown: state.shown, step: this.windows.step };
    const evaluation = await this.connection.ask<Evaluation>("evaluate", asked);
    if (evaluation.superseded) return;
    // A hand that moved on has a newer question of its own.
    if (!isQuick && state.theta !== this.state.theta) return;
    this.last = evaluation;
    if (evaluation.errors) this.errors = evaluation.errors;
    this.windows.show(evaluation, this.pinned.windows());
    this.showValues();
    if (isQuick) this.timing.end();
    else if (state === this.state) this.element.ariaBusy = "false";
  }

  private showValues(): void {
    this.values.show(this.state, this.last!, this.terms);
  }

  private async follow({ state, moved }: { state: LiveState; moved: number[] }): Promise<void> {
    const free = this.live.parameters.flatMap((_, k) => (moved.includes(k) || state.locked[k] ? [] : [k]));
    const found = await this.connection.ask<{ superseded?: boolean; theta: Record<string, number> }>(
      "follow",
      {
        ...this.question(state),
        free,
        regularizer: state.text,
      },
    );
    if (found.superseded) return;
    const theta = this.state.theta.map((was, k) =>
      free.includes(k) ? found.theta[this.live.parameters[k]!.name]! : was,
    );
    this.state = { ...this.state, theta };
    this.showTheta();
    this.moving.put(this.state);
  }

  // What the map depends on; its own axes are not among it.
  private scan(): void {
    const { axes, split, theta } = this.state;
    const key = JSON.stringify([
      axes,
      split,
      theta.map((value, k) => (axes.includes(k) ? 0 : value)),
      this.terms,
    ]);
    if (key === this.scanned) return void this.map.draw(this.state);
    this.scanned = key;
    const asked = { ...this.question(this.state), axes };
    const hear = (line: ScanLine) => {
      if (line.superseded || key !== this.scanned) return;
      this.map.take(line, this.state);
      if (line.is_last) this.profiles.show(this.state, this.map.current);
    };
    this.connection.stream<ScanLine>("scan", asked, hear).catch(() => (this.scanned = ""));
  }

  private async learnMeans(text: string): Promise<void> {
    this.terms = (await this.connection.ask<{ terms: string[] }>("means", { expression: text })).terms;
    this.change({ text });
  }

  private sortWindows(order: WindowOrder): void {
    this.change({ order, shown: orderedWindows(this.live, this.state.split, order, this.errors) });
  }

  private setPin(name: PinName, theta: number[] | null): void {
    const pins = { ...this.state.pins };
    if (theta) pins[name] = theta;
    else delete pins[name];
    this.change({ pins });
    this.pinned.keep(this.state);
  }

  private showPinned(): void {
    for (const name of pinNames)
      this.values.setPin(name, this.state, this.pinned.at[name] ?? null, this.terms);
    this.pins.show(this.state, this.pinned.at);
    if (!this.last) return;
    this.showValues();
    this.windows.show(this.last, this.pinned.windows());
  }

  private showStatus(isConnected: boolean): void {
    this.status.classList.toggle("lost", !isConnected);
    this.status.textContent = isConnected
      ? ""
      : "Disconnected: the server has ended. Pins and pictures stay; start `greybox explore` again to go on.";
    if (isConnected) this.set(this.state);
  }
}

export function explorerPage(report: Report): HTMLElement[] {
  document.title = `${report.title} – greybox explorer`;
  document.documentElement.classList.add("is-live");
  const app = new ExplorerApp(report);
  return [h("a", { class: "skip", href: "#content" }, "Skip to the content"), app.element];
}
