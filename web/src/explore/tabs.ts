// Panels of which one is seen at a time, as screen readers and keyboards expect them.
import { h, uniqueId } from "../dom";

export interface Tab {
  name: string;
  panel: HTMLElement;
  /** Called whenever it comes into view. */
  onOpen?: () => void;
}

export function tabs(label: string, all: Tab[]): HTMLElement {
  const buttons = all.map(({ name }) =>
    h("button", { type: "button", role: "tab", id: uniqueId("tab") }, name),
  );
  const panels = all.map(({ panel }, k) => {
    const id = uniqueId("tab-panel");
    buttons[k]!.setAttribute("aria-controls", id);
    return h("div", { id, role: "tabpanel", tabindex: 0, "aria-labelledby": buttons[k]!.id }, panel);
  });
  const open = (chosen: number, hasFocus: boolean) => {
    buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(k === chosen));
      button.tabIndex = k === chosen ? 0 : -1;
      panels[k]!.hidden = k !== chosen;
    });
    if (hasFocus) buttons[chosen]!.focus();
    all[chosen]!.onOpen?.();
  };
  buttons.forEach((button, k) => {
    button.addEventListener("click", () => open(k, false));
    button.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (step !== 0) open((k + step + all.length) % all.length, true);
    });
  });
  open(0, false);
  return h(
    "div",
    { class: "tabs" },
    h("div", { role: "tablist", "aria-label": label }, ...buttons),
    ...panels,
  );
}
