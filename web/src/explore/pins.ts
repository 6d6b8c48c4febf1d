// Pins: θ marked to be compared with, and taken elsewhere as a command, a table or a picture.
import { copyButton } from "../controls";
import { h, replaceInFocus } from "../dom";
import { number } from "../format";
import type { Report } from "../report";
import { type Evaluation, type PinName, pinNames } from "./live";
import type { LiveState } from "./state";

function quoted(text: string): string {
  return /^[\w./=,:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that gives the values shown: of this θ, on these windows, by this network. */
export function predictCommand(report: Report, theta: number[], { split, network }: LiveState): string {
  const { parameters, seeds } = report.live!;
  // Rounding of the last digits is no news, and R is the same to far more than 1e-5.
  const values = parameters.map(({ name }, k) => `${name}=${Number(theta[k]!.toPrecision(12))}`).join(",");
  const run = (report.run || "RUN") + (network > 0 ? `/seeds/${seeds[network]}` : "");
  return `greybox predict ${quoted(run)} --theta ${quoted(values)} --on ${split}`;
}

function cell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row per pin: θ, every candidate, L, NRMSE. */
export function pinTable(report: Report, state: LiveState, at: Partial<Record<PinName, Evaluation>>): string {
  const candidates = (report.regularizers ?? []).map(({ name }) => name);
  const head = [
    "pin",
    ...report.live!.parameters.map(({ name }) => name),
    ...candidates,
    "L",
    "nrmse",
    "windows",
  ];
  const rows = pinNames.flatMap((pin) => {
    const theta = state.pins[pin];
    const values = at[pin];
    if (!theta || !values) return [];
    const known = candidates.map((name) => String(values.regularizers[name] ?? ""));
    return [
      [
        pin,
        ...theta.map(String),
        ...known,
        String(values.L ?? ""),
        String(values.nrmse ?? ""),
        String(values.windows),
      ],
    ];
  });
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function download(name: string, type: string, text: string): void {
  const link = h("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const copied = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "font-size",
  "font-family",
  "opacity",
];

/** A picture that needs no style sheet: what the page computes is written into every element. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  [copy, ...copy.querySelectorAll<SVGElement>("*")].forEach((element, k) => {
    const style = getComputedStyle(originals[k]!);
    element.setAttribute("style", copied.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

export class PinPanel {
  readonly element = h("div", { class: "pins" });

  constructor(
    private readonly report: Report,
    private readonly set: (name: PinName) => void,
    private readonly go: (name: PinName) => void,
    private readonly remove: (name: PinName) => void,
    private readonly pictures: () => SVGSVGElement[],
  ) {}

  show(state: LiveState, at: Partial<Record<PinName, Evaluation>>): void {
    const button = (text: string, label: string, click: () => void) =>
      h("button", { type: "button", "aria-label": label, click }, text);
    const rows = pinNames.map((name) => {
      const theta = state.pins[name];
      const letter = h("span", { class: `pin-letter pin-${name}` }, name);
      if (!theta)
        return h(
          "li",
          {},
          letter,
          button("Pin θ", `Pin θ as ${name}`, () => this.set(name)),
        );
      const text = this.report
        .live!.parameters.map((one, k) => `${one.name} = ${number(theta[k])}`)
        .join(", ");
      return h(
        "li",
        {},
        letter,
        h("span", { class: "pin-theta" }, text),
        button("Go", `Go to pin ${name}`, () => this.go(name)),
        button("Here", `Move pin ${name} here`, () => this.set(name)),
        button("✕", `Remove pin ${name}`, () => this.remove(name)),
        copyButton(predictCommand(this.report, theta, state), "Command"),
      );
    });
    const name = this.report.title.replace(/[^\w-]+/g, "-") || "run";
    const hasPins = pinNames.some((pin) => state.pins[pin]);
    const csv = () => download(`${name}-pins.csv`, "text/csv", pinTable(this.report, state, at));
    const svg = () =>
      this.pictures().forEach((picture, k) =>
        download(`${name}-${k + 1}.svg`, "image/svg+xml", standalone(picture)),
      );
    replaceInFocus(
      this.element,
      h("ul", {}, ...rows),
      h(
        "div",
        { class: "exports" },
        ...(hasPins ? [button("Pins as CSV", "Save the pins as CSV", csv)] : []),
        button("Pictures as SVG", "Save pictures as SVG", svg),
      ),
    );
  }
}
