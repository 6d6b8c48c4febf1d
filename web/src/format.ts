// Numbers and words as the page shows them.
import { format } from "d3-format";
import type { Report } from "./report";

const plain = format(".4~r");
const scientific = format(".3~e");

/** Four digits, with a power of ten only where zeros would be many; a true minus sign. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return plain(value);
  const [digits, power] = scientific(value).split("e");
  return `${digits}·10${superscript(power!)}`;
}

const raised: Record<string, string> = { "-": "⁻", "−": "⁻", "+": "" };

function superscript(power: string): string {
  return [...power].map((c) => raised[c] ?? "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]).join("");
}

const separated = format(",");

export function count(value: number): string {
  return separated(value).replaceAll(",", "\u202f");
}

/** "1 window", "3 windows" */
export function counted(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${number(Number(seconds.toPrecision(2)))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function withUnit(name: string, unit?: string): string {
  return unit ? `${name} (${unit.replace(/\^(-?\d+)/g, (_, power: string) => superscript(power))})` : name;
}

export function parameterNames({ model }: Report): string[] {
  return model.parameters.map(({ name }) => name);
}

/** Names as the model file has them, others after them. */
export function inOrder(names: string[], order: string[]): string[] {
  const known = order.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** "a = 1.2, c = 0.1" */
export function theta(values: Record<string, number>, order: string[] = []): string {
  return inOrder(Object.keys(values), order)
    .map((name) => [name, values[name]] as const)
    .map(([name, value]) => `${name} = ${number(value)}`)
    .join(", ");
}

/** Prose of the engine, which has hyphens before negative numbers. */
export function withMinus(text: string): string {
  return text.replace(/(^|[\s([=±])-(?=\d)/g, "$1−");
}

export function sentence(text: string): string {
  return withMinus(text.charAt(0).toUpperCase() + text.slice(1));
}

export function list(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
