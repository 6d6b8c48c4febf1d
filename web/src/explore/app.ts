// The explorer: one state, and panels that follow it.
import { Candidates } from "../landscape/candidates";
import type { Report } from "../report";
import { Connection, Latest } from "./connection";
import { listenToHands } from "./layout";
import { type Evaluation, type Live, pinNames, type PinName, type ScanLine } from "./live";
import { Panels } from "./panels";
import { Pinned } from "./pinned";
import {
  firstState,
  fromAddress,
  History,
  orderedWindows,
  type LiveState,
  toAddress,
  type WindowOrder,
} from "./state";
import { Timing } from "./timing";
import { progressText, type TrainingNews, TrainingWatch } from "./training_watch";

/** After the last move: all windows, and a new landscape. */
const settleTime = 150;
const gestureTime = 600;

export class ExplorerApp {
  readonly element: HTMLElement;
  private readonly live: Live;
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
  private follows = false;
  private isHeld = false;
  /** Of the weights that the server answers with. */
  private generation: number | null = null;
  private readonly panels: Panels;
  private readonly pinned: Pinned;
  private readonly watch: TrainingWatch;

  private readonly moving = new Latest<LiveState>((state) => this.evaluate(state, true));
  private readonly settled = new Latest<LiveState>((state) => this.evaluate(state, false));
  private readonly following = new Latest<{ state: LiveState; moved: number[] }>((asked) =>
    this.follow(asked),
  );

  constructor(report: Report) {
    this.live = report.live!;
    const regularizers = report.regularizers ?? [];
    const own = regularizers.find(({ name }) => name === report.training?.regularizer) ?? regularizers[0];
    this.terms = this.live.terms;
    const candidates = new Candidates(regularizers, report.run || "RUN");
    this.connection = new Connection(this.live.path, (isConnected) => this.showStatus(isConnected));
    this.history = new History((canUndo) => (this.panels.undo.disabled = !canUndo));
    this.state = fromAddress(location.hash, firstState(this.live, own?.name ?? "nrmse"), this.live);
    this.pinned = new Pinned(
      this.live,
      this.connection,
      (state) => this.question(state),
      () => this.showPinned(),
    );
    this.panels = this.makePanels(report, candidates);
    this.element = this.panels.element;
    this.watch = new TrainingWatch(
      this.connection,
      () => this.panels.training.isOpen,
      (news) => this.hear(news),
    );
    this.listen();
    this.set(this.state);
    void this.watch.look();
  }

  private makePanels(report: Report, candidates: Candidates): Panels {
    return new Panels(report, candidates, this.connection, {
      state: () => this.state,
      question: () => this.question(this.state),
      change: (change) => this.change(change),
      moveTheta: (values, isMoving) => this.moveTheta(values, isMoving),
      follow: (follows) => (this.follows = follows),
      goTo: (theta) => this.change({ theta: [...theta] }),
      showStep: (theta, trace) => {
        this.state = { ...this.state, theta };
        this.panels.map.trace(trace);
        this.showTheta();
        this.moving.put(this.state);
      },
      sortWindows: (order) => this.sortWindows(order),
      askAgain: () => this.settled.put(this.state),
      setPin: (name, theta) => this.setPin(name, theta),
      learnMeans: (text) => this.learnMeans(text),
      undo: () => this.undo(),
      openTraining: () => void this.watch?.look(),
    });
  }

  private listen(): void {
    listenToHands(
      (isShifted) => (this.isShifted = isShifted),
      (isHeld) => (this.isHeld = isHeld),
      () => this.undo(),
    );
    window.addEventListener("hashchange", () => {
      if (location.hash !== toAddress(this.state, this.live))
        this.set(fromAddress(location.hash, this.state, this.live));
    });
  }

  // Everything anew, as after undo.
  private set(state: LiveState): void {
    this.state = state;
    this.panels.field.text = state.text;
    this.showControls();
    this.showTheta();
    this.settle(0);
  }

  private showControls(): void {
    this.panels.map.showAxes(this.state);
    this.panels.windows.showControls(this.state);
    this.panels.parameters.mark(this.state);
    this.panels.pins.show(this.state, this.pinned.at);
    this.panels.choices.show(this.state);
  }

  private remember(): void {
    if (this.gesture === 0) this.history.keep(this.state);
    this.prolongGesture();
  }

  // Moves that follow each other closely are one, and so are all of one drag.
  private prolongGesture(): void {
    window.clearTimeout(this.gesture);
    this.gesture = window.setTimeout(() => {
      if (this.isHeld) this.prolongGesture();
      else this.gesture = 0;
    }, gestureTime);
  }

  private change(change: Partial<LiveState>): void {
    this.remember();
    this.state = { ...this.state, ...change };
    this.showControls();
    this.showTheta();
    if (this.last) this.showValues();
    if (change.text !== undefined) this.panels.map.draw(this.state);
    this.settle(0);
  }

  private moveTheta(values: Map<number, number>, isMoving: boolean): void {
    this.remember();
    this.timing.begin();
    const theta = this.state.theta.map((was, k) => (this.state.locked[k] ? was : (values.get(k) ?? was)));
    this.state = { ...this.state, theta };
    this.showTheta();
    const canFollow =
      (this.isShifted || this.follows) &&
      this.live.parameters.some((_, k) => !values.has(k) && !this.state.locked[k]);
    if (canFollow) this.following.put({ state: this.state, moved: [...values.keys()] });
    else this.moving.put(this.state);
    this.settle(isMoving ? settleTime : 0);
  }

  private undo(): void {
    const before = this.history.back();
    if (before) this.set(before);
  }

  private showTheta(): void {
    this.panels.parameters.show(this.state);
    this.panels.map.move(this.state);
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
      this.panels.profiles.show(this.state, this.panels.map.current);
      return undefined;
    }, after);
  }

  private question(state: LiveState) {
    const theta = Object.fromEntries(this.live.parameters.map(({ name }, k) => [name, state.theta[k]!]));
    return { theta, network: state.network, split: state.split };
  }

  private async evaluate(state: LiveState, isQuick: boolean): Promise<void> {
    const asked = {
      ...this.question(state),
      quick: isQuick,
      shown: state.shown,
      step: this.panels.windows.step,
    };
    const evaluation = await this.connection.ask<Evaluation>("evaluate", asked);
    if (evaluation.superseded) return;
    // A hand that moved on has a newer question of its own.
    if (!isQuick && state.theta !== this.state.theta) return;
    this.last = evaluation;
    if (evaluation.errors) this.errors = evaluation.errors;
    this.panels.windows.show(evaluation, this.pinned.windows(), isQuick);
    this.showValues();
    if (isQuick) this.timing.end();
    else if (state === this.state) this.element.ariaBusy = "false";
  }

  private showValues(): void {
    this.panels.values.show(this.state, this.last!, this.terms);
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
    if (key === this.scanned) return void this.panels.map.draw(this.state);
    this.scanned = key;
    const asked = { ...this.question(this.state), axes };
    const hear = (line: ScanLine) => {
      if (line.superseded || key !== this.scanned) return;
      this.panels.map.take(line, this.state);
      if (line.is_last) this.panels.profiles.show(this.state, this.panels.map.current);
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
      this.panels.values.setPin(name, this.state, this.pinned.at[name] ?? null, this.terms);
    this.panels.pins.show(this.state, this.pinned.at);
    if (!this.last) return;
    this.showValues();
    this.panels.windows.show(this.last, this.pinned.windows());
  }

  // Other weights: everything anew, at the same θ.
  private hear(news: TrainingNews): void {
    const { progress, training } = this.panels;
    const text = progressText(news);
    if (progress.textContent !== text) progress.textContent = text;
    if (news.curves) training.show(news, news.others);
    const isNew = this.generation !== null && news.generation !== this.generation;
    this.generation = news.generation;
    if (!isNew) return;
    this.live.seeds = news.seeds;
    this.scanned = "";
    this.pinned.forget();
    this.set(this.state.network < news.seeds.length ? this.state : { ...this.state, network: 0 });
  }

  private showStatus(isConnected: boolean): void {
    this.panels.status.classList.toggle("lost", !isConnected);
    this.panels.status.textContent = isConnected
      ? ""
      : "Disconnected: the server has ended. Pins and pictures stay; start `greybox explore` again to go on.";
    if (isConnected) this.set(this.state);
  }
}
