// All panels of the explorer, made once, and what they ask of the page that holds them.
import { h } from "../dom";
import { Candidates } from "../landscape/candidates";
import type { Report } from "../report";
import { Choices } from "./choices";
import type { Connection } from "./connection";
import { Descents } from "./descents";
import { explorerLayout } from "./layout";
import { type LiveExplanation, type PinName } from "./live";
import { MapPanel } from "./map_panel";
import { ParameterPanel } from "./parameter_panel";
import { PinPanel } from "./pins";
import { RegularizerField } from "./regularizer_field";
import { LearnedTab, ProfileTab } from "./side_tabs";
import { defaultWindows, type LiveState, type WindowOrder } from "./state";
import { TrainingTab } from "./training_tab";
import { ValuePanel } from "./value_panel";
import { WindowPanel } from "./window_panel";

export interface PanelHost {
  state: () => LiveState;
  /** What every question to the server says. */
  question: () => object;
  change: (change: Partial<LiveState>) => void;
  moveTheta: (values: Map<number, number>, isMoving: boolean) => void;
  /** Whether other parameters follow those that are moved. */
  follow: (follows: boolean) => void;
  goTo: (theta: number[]) => void;
  showStep: (theta: number[], trace: number[][]) => void;
  sortWindows: (order: WindowOrder) => void;
  /** The windows shown are wanted anew. */
  askAgain: () => void;
  setPin: (name: PinName, theta: number[] | null) => void;
  learnMeans: (text: string) => Promise<void>;
  undo: () => void;
  openTraining: () => void;
}

export class Panels {
  readonly element: HTMLElement;
  readonly status = h("p", { class: "connection", role: "status" });
  readonly progress = h("p", { class: "progress note" });
  readonly undo: HTMLButtonElement;
  readonly choices: Choices;
  readonly parameters: ParameterPanel;
  readonly map: MapPanel;
  readonly windows: WindowPanel;
  readonly values: ValuePanel;
  readonly field: RegularizerField;
  readonly pins: PinPanel;
  readonly profiles: ProfileTab;
  readonly training: TrainingTab;
  private readonly descents: Descents;

  constructor(
    private readonly report: Report,
    candidates: Candidates,
    private readonly connection: Connection,
    private readonly host: PanelHost,
  ) {
    const live = report.live!;
    this.undo = h("button", { type: "button", disabled: true, click: () => host.undo() }, "Undo");
    this.choices = new Choices(
      live,
      connection,
      (network) => host.change({ network }),
      (split) => host.change({ split, shown: defaultWindows(live, split), order: "spread" }),
    );
    this.parameters = new ParameterPanel(
      report,
      ({ parameter, value, isMoving }) => host.moveTheta(new Map([[parameter, value]]), isMoving),
      (parameter) =>
        host.change({ locked: host.state().locked.map((was, k) => (k === parameter ? !was : was)) }),
      host.follow,
      this.choices.element,
    );
    this.map = new MapPanel(
      report,
      candidates,
      ({ values, isMoving }) => host.moveTheta(values, isMoving),
      (text) => (this.field.text = text),
      (axes) => host.change({ axes }),
    );
    this.windows = new WindowPanel(live, host.sortWindows, host.askAgain);
    this.values = new ValuePanel(report, candidates);
    this.field = new RegularizerField(
      candidates,
      () => this.map.current,
      (text) => text !== host.state().text && host.change({ text }),
      host.learnMeans,
    );
    this.pins = this.makePins();
    this.profiles = new ProfileTab(report, candidates);
    this.training = new TrainingTab(report.training ?? null);
    this.descents = new Descents(report, connection, {
      state: host.state,
      question: host.question,
      onStep: host.showStep,
      onEnd: host.goTo,
    });
    this.element = this.layout();
  }

  private makePins(): PinPanel {
    const { host } = this;
    return new PinPanel(
      this.report,
      (name) => host.setPin(name, [...host.state().theta]),
      (name) => {
        const theta = host.state().pins[name];
        if (theta) host.goTo(theta);
      },
      (name) => host.setPin(name, null),
      () => [...this.windows.element.querySelectorAll<SVGSVGElement>(".window svg, .parts svg")],
    );
  }

  private layout(): HTMLElement {
    const { host, profiles } = this;
    const learned = new LearnedTab(() => this.connection.ask<LiveExplanation>("explain", host.question()));
    const tabs = [
      {
        name: "Profiles",
        panel: profiles.element,
        onOpen: () => profiles.show(host.state(), this.map.current),
      },
      { name: "Descend", panel: this.descents.element },
      { name: "What the network learned", panel: learned.element },
      { name: "Training", panel: this.training.element, onOpen: host.openTraining },
    ];
    return explorerLayout(this.report, {
      status: this.status,
      progress: this.progress,
      undo: this.undo,
      parameters: this.parameters.element,
      map: this.map.element,
      windows: this.windows.element,
      values: [this.field.element, this.values.element],
      pins: this.pins.element,
      tabs,
    });
  }
}
