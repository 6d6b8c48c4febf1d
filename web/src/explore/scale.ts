// A parameter's range as a line from 0 to 1, linear or logarithmic.
import type { LiveParameter } from "./live";

export function shareOf({ low, high, scale }: LiveParameter, value: number): number {
  return scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

export function valueAt({ low, high, scale }: LiveParameter, share: number): number {
  return scale === "log" ? low * (high / low) ** share : low + share * (high - low);
}

/** Within the bounds, and with no more digits than a person can tell apart. */
export function settled(parameter: LiveParameter, value: number): number {
  const [low, high] = parameter.bounds;
  const rounded = Number(value.toPrecision(6));
  return Math.min(high ?? Number.POSITIVE_INFINITY, Math.max(low ?? Number.NEGATIVE_INFINITY, rounded));
}
