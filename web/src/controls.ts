// Small form controls, each with its label.
import { h, uniqueId } from "./dom";

export interface Choice {
  value: string;
  name: string;
}

export function select(
  label: string,
  choices: Choice[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLElement {
  const id = uniqueId("select");
  const element = h(
    "select",
    { id, change: (event) => onChange((event.target as HTMLSelectElement).value) },
    ...choices.map(({ value, name }) => h("option", { value, selected: value === chosen }, name)),
  );
  return h("div", { class: "field" }, h("label", { for: id }, label), element);
}

export function checkbox(
  label: string,
  isChecked: boolean,
  onChange: (isChecked: boolean) => void,
): HTMLElement {
  const id = uniqueId("checkbox");
  const element = h("input", {
    id,
    type: "checkbox",
    checked: isChecked,
    change: (event) => onChange((event.target as HTMLInputElement).checked),
  });
  return h("div", { class: "field check" }, element, h("label", { for: id }, label));
}

export interface SliderOptions {
  label: string;
  min: number;
  max: number;
  value: number;
  /** The position in words, beside the slider and for screen readers. */
  describe: (position: number) => string;
  onInput: (position: number) => void;
}

export interface Slider {
  element: HTMLElement;
  set: (position: number) => void;
}

export function slider({ label, min, max, value, describe, onInput }: SliderOptions): Slider {
  const id = uniqueId("slider");
  const output = h("output", { for: id });
  const input = h("input", { id, type: "range", min, max, step: 1, value });
  const tell = () => {
    output.textContent = describe(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    tell();
    onInput(Number(input.value));
  });
  tell();
  return {
    element: h("div", { class: "field slider" }, h("label", { for: id }, label), output, input),
    set: (position) => {
      input.value = String(position);
      tell();
    },
  };
}

/** A button that copies a text and says so. */
export function copyButton(text: string, label: string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "copy" }, label);
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text)) ? "Copied" : "Select the text and copy it by hand";
    setTimeout(() => {
      button.textContent = label;
    }, 2500);
  });
  return button;
}

// A page opened from a file may lack the newer way of copying.
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
