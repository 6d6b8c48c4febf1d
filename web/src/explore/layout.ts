// Where the explorer's panels stand.
import { h } from "../dom";
import type { Report } from "../report";
import { themeSwitch } from "../theme";
import { type Tab, tabs } from "./tabs";

export interface Panels {
  status: HTMLElement;
  progress: HTMLElement;
  undo: HTMLElement;
  parameters: HTMLElement;
  map: HTMLElement;
  windows: HTMLElement;
  /** Below each other: R = and its values. */
  values: HTMLElement[];
  pins: HTMLElement;
  tabs: Tab[];
}

export function explorerLayout(report: Report, panels: Panels): HTMLElement {
  return h(
    "main",
    { id: "content", class: "live", tabindex: -1 },
    h(
      "header",
      { class: "live-header" },
      h("h1", {}, report.title),
      h("p", { class: "note why" }, `Starts at ${report.live!.why}.`),
      panels.progress,
      panels.status,
      panels.undo,
      themeSwitch(),
    ),
    panels.parameters,
    panels.map,
    panels.windows,
    h(
      "section",
      { class: "panel bottom", "aria-label": "Values" },
      h("div", { class: "value-column" }, ...panels.values),
      h("div", { class: "pin-column" }, h("h2", { class: "panel-title" }, "Pins"), panels.pins),
      tabs("More about this run", panels.tabs),
    ),
  );
}

/** Whether Shift and a pointer's button are held, and Ctrl-Z outside of fields. */
export function listenToHands(
  onShift: (isShifted: boolean) => void,
  onHold: (isHeld: boolean) => void,
  onUndo: () => void,
): void {
  const shift = (event: KeyboardEvent | PointerEvent) => onShift(event.shiftKey);
  for (const name of ["keydown", "keyup", "pointerdown", "pointermove"] as const)
    window.addEventListener(name, shift, true);
  window.addEventListener("pointerdown", () => onHold(true), true);
  for (const name of ["pointerup", "pointercancel"] as const)
    window.addEventListener(name, () => onHold(false), true);
  window.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || isTyping) return;
    event.preventDefault();
    onUndo();
  });
}
